/** Which server to start: the one a person names, else the bundled one in an environment of its own, made on first use. */
import path from "node:path";
import * as vscode from "vscode";
import type { Executable } from "vscode-languageclient/node";
import { choosePython, pythonPath, serverPath } from "./config";
import { findEnvironment, makeEnvironment, type Place, readBundle } from "./environment";

/** The command that serves over standard input and output; undefined when a person cancelled. Raises NoEnvironment. */
export async function findServer(context: vscode.ExtensionContext, output: vscode.LogOutputChannel): Promise<Executable | undefined> {
  const own = serverPath();
  if (own !== "") return { command: own, args: ["serve"] };
  const python = await bundled(context, output);
  // Isolated: a module of the user's folder must never stand in for one of the server's.
  return python === undefined ? undefined : { command: python, args: ["-I", "-m", "surefoot", "serve"] };
}

/** Says that the server could not be set up, with the ways out; resolves to true when it is worth another try. */
export async function offerWaysOut(error: unknown, output: vscode.LogOutputChannel): Promise<boolean> {
  const text = error instanceof Error ? error.message : String(error);
  output.error(text);
  const [first = text] = text.split("\n");
  const picked = await vscode.window.showErrorMessage(`Surefoot cannot start. ${first}`, "Show Output", "Choose Python…", "Try Again");
  if (picked === "Show Output") output.show();
  if (picked === "Choose Python…") return await askForPython();
  return picked === "Try Again";
}

async function askForPython(): Promise<boolean> {
  const picked = await vscode.window.showOpenDialog({
    title: "A Python 3.11 or newer",
    openLabel: "Use This Python",
    canSelectMany: false,
  });
  const file = picked?.[0];
  if (file !== undefined) await choosePython(file.fsPath);
  return false; // The changed setting starts the server by itself.
}

async function bundled(context: vscode.ExtensionContext, output: vscode.LogOutputChannel): Promise<string | undefined> {
  const bundle = await readBundle(path.join(context.extensionPath, "bundled"));
  const place = { bundle, storage: context.globalStorageUri.fsPath };
  return (await findEnvironment(place)) ?? (await withProgress(place, output));
}

async function withProgress(place: Place, output: vscode.LogOutputChannel): Promise<string | undefined> {
  const options = { location: vscode.ProgressLocation.Notification, title: "Surefoot, first start", cancellable: true };
  return await vscode.window.withProgress(options, async (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => {
      abort.abort();
    });
    const report = (message: string): void => {
      progress.report({ message });
    };
    const log = (line: string): void => {
      output.info(line);
    };
    return await makeEnvironment({ ...place, chosen: pythonPath(), report, log, signal: abort.signal }).catch((error: unknown) => {
      if (abort.signal.aborted) return undefined;
      throw error;
    });
  });
}
