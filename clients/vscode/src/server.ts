/** Which server to start: the one a person names, else the bundled one in an environment of its own, made on first use. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { Executable } from "vscode-languageclient/node";
import { choosePython, pythonPath, serverPath } from "./config";
import { findEnvironment, makeEnvironment, NoEnvironment, type Place, readBundle } from "./environment";

/** The command that serves over standard input and output; undefined when a person cancelled. Raises NoEnvironment. */
export async function findServer(context: vscode.ExtensionContext, output: vscode.LogOutputChannel): Promise<Executable | undefined> {
  const own = serverPath();
  if (own !== "") return { command: await present(own), args: ["serve"] };
  const python = await bundled(context, output);
  // Isolated: a module of the user's folder must never stand in for one of the server's.
  return python === undefined ? undefined : { command: python, args: ["-I", "-m", "surefoot", "serve"] };
}

/** Says that the server could not be set up, with the ways out; resolves to true when it is worth another try. */
export async function offerWaysOut(error: unknown, output: vscode.LogOutputChannel): Promise<boolean> {
  const text = error instanceof Error ? error.message : String(error);
  output.error(text);
  const [first = text] = text.split("\n");
  const change = serverPath() === "" ? "Choose Python…" : "Open Settings";
  const picked = await vscode.window.showErrorMessage(`Surefoot cannot start. ${first}`, "Try Again", change, "Show Output");
  if (picked === "Show Output") output.show();
  if (picked === "Open Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "surefoot.server.path");
  if (picked === "Choose Python…") await askForPython();
  return picked === "Try Again";
}

/** The changed setting starts the server by itself. */
async function askForPython(): Promise<void> {
  const picked = await vscode.window.showOpenDialog({
    title: "A Python 3.11 or newer",
    openLabel: "Use This Python",
    canSelectMany: false,
  });
  const file = picked?.[0];
  if (file !== undefined) await choosePython(file.fsPath);
}

/** A path must lead to a program; a bare name is looked up when it is started. */
async function present(command: string): Promise<string> {
  if (!path.isAbsolute(command)) return command;
  await access(command, constants.X_OK).catch(() => {
    throw new NoEnvironment(`The setting surefoot.server.path names ${command}, which is not a program that can be run.`);
  });
  return command;
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
