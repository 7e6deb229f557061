/** The only reader of Surefoot's settings. */
import * as vscode from "vscode";

/** Languages in which Surefoot changes code. */
const LANGUAGES = ["python", "typescript", "typescriptreact", "javascript", "javascriptreact"];

/** Languages in which it finds sites: these, and more. */
export const READ_LANGUAGES: readonly string[] = [...LANGUAGES, "go", "rust", "java", "c", "cpp", "csharp", "ruby", "php", "lua"];

const SECTION = "surefoot";

/** The Python to make the server's environment from, or "". */
export function pythonPath(): string {
  return read("python.path", "");
}

/** A server to run in place of the bundled one, or "". */
export function serverPath(): string {
  return read("server.path", "");
}

/** Whether Surefoot changes code in the language of this document. */
export function isChanged(document: vscode.TextDocument): boolean {
  return LANGUAGES.includes(document.languageId);
}

/** Whether Surefoot's findings are shown for this document, by its language. */
export function showsDiagnostics(document: vscode.TextDocument): boolean {
  return isChanged(document) && read("diagnostics.enable", true, document);
}

/** Whether Rename Symbol is answered for this document, by its language. */
export function answersRename(document: vscode.TextDocument): boolean {
  return isChanged(document) && read("rename.enable", true, document);
}

/** Whether any language wants diagnostics, so that the server need not check in vain. */
export function anyDiagnostics(): boolean {
  return anyLanguage("diagnostics.enable");
}

/** Whether any language wants Rename Symbol answered. */
export function anyRename(): boolean {
  return anyLanguage("rename.enable");
}

/** Keeps the interpreter that a person chose; in the workspace, where one is named there already and would win. */
export async function choosePython(path: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const here = settings.inspect("python.path")?.workspaceValue !== undefined;
  await settings.update("python.path", path, here ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

/** Whether the change can only reach the server by starting it again. */
export function needsRestart(change: vscode.ConfigurationChangeEvent): boolean {
  return ["python.path", "server.path", "diagnostics.enable", "rename.enable"].some((name) =>
    change.affectsConfiguration(`${SECTION}.${name}`),
  );
}

function anyLanguage(name: string): boolean {
  return LANGUAGES.some((languageId) => vscode.workspace.getConfiguration(SECTION, { languageId }).get<boolean>(name, true));
}

function read<T>(name: string, fallback: T, scope?: vscode.ConfigurationScope): T {
  return vscode.workspace.getConfiguration(SECTION, scope).get(name, fallback);
}
