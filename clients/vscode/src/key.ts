/** The key of the model's provider: kept where VS Code keeps secrets, and handed to the server in its environment, nowhere else. */
import * as vscode from "vscode";

const NAME = "surefoot.apiKey";
const VARIABLE = "ANTHROPIC_API_KEY";

/** The server's environment: this one's, with the stored key where there is one. */
export async function environmentWithKey(secrets: vscode.SecretStorage): Promise<NodeJS.ProcessEnv> {
  const key = await secrets.get(NAME);
  return key === undefined ? process.env : { ...process.env, [VARIABLE]: key };
}

/** Asks for a key and keeps it; false when a person gave none. */
export async function askForKey(secrets: vscode.SecretStorage): Promise<boolean> {
  const typed = await vscode.window.showInputBox({
    title: "API key for Claude",
    prompt: "Kept in VS Code's secret storage and given to the server of this window alone. It is written to no file.",
    password: true,
    ignoreFocusOut: true,
    placeHolder: "sk-ant-…",
    validateInput: problemWithKey,
  });
  const key = typed?.trim() ?? "";
  if (key === "") return false;
  await secrets.store(NAME, key);
  return true;
}

/** Forgets the stored key; false when there was none. */
export async function forgetKey(secrets: vscode.SecretStorage): Promise<boolean> {
  if ((await secrets.get(NAME)) === undefined) return false;
  await secrets.delete(NAME);
  return true;
}

function problemWithKey(typed: string): string | undefined {
  return /\s/.test(typed.trim()) ? "A key has no blanks in it." : undefined;
}
