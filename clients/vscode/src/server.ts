/** Which server to start: the one a person names, else the bundled one in an environment of its own, made on first use. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { Executable } from "vscode-languageclient/node";
import { choosePython, pythonPath, serverPath } from "./config";
import { environmentWithKey } from "./key";
import { distrust, findEnvironment, makeEnvironment, NoEnvironment, type Place, readBundle } from "./environment";

/** A command that serves over standard input and output. */
export interface Server extends Executable {
  /** The Python of the environment that the extension made for it; none for a server that a person names. */
  environment?: string;
}

/** The server to start; undefined when a person cancelled. Raises NoEnvironment. */
export async function findServer(context: vscode.ExtensionContext, output: vscode.LogOutputChannel): Promise<Server | undefined> {
  const options = { env: await environmentWithKey(context.secrets) };
  const own = serverPath();
  if (own !== "") return { command: await present(own), args: ["serve"], options };
  const python = await bundled(context, output);
  // Isolated: a module of the user's folder must never stand in for one of the server's.
  return python === undefined ? undefined : { command: python, args: ["-I", "-m", "surefoot", "serve"], environment: python, options };
}

/**
 * Says that no server could be set up or started, with the ways out; resolves to true when it is worth another try.
 *
 * `server` is the one that did not start: another try makes its environment anew.
 */
export async function offerWaysOut(error: unknown, server: Server | undefined, output: vscode.LogOutputChannel): Promise<boolean> {
  const text = error instanceof Error ? error.message : String(error);
  output.error(text);
  const [first = text] = text.split("\n");
  const change = serverPath() === "" ? "Choose Python…" : "Open Settings";
  const picked = await vscode.window.showErrorMessage(`Surefoot cannot start. ${first}`, "Try Again", change, "Show Output");
  if (picked === "Show Output") output.show();
  if (picked === "Open Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "surefoot.server.path");
  const again = picked === "Try Again" || (picked === "Choose Python…" && (await askForPython()));
  if (again && server?.environment !== undefined) await distrust(server.environment);
  return again;
}

/** Whether a Python was picked that is the chosen one already; another one changes the setting, which starts the server by itself. */
async function askForPython(): Promise<boolean> {
  const picked = await vscode.window.showOpenDialog({
    title: "A Python 3.11 or newer",
    openLabel: "Use This Python",
    canSelectMany: false,
  });
  const file = picked?.[0];
  if (file === undefined) return false;
  const before = pythonPath();
  await choosePython(file.fsPath);
  return pythonPath() === before;
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
  const log = (line: string): void => {
    output.info(line);
  };
  const place = { bundle, storage: context.globalStorageUri.fsPath, chosen: pythonPath(), log };
  return (await findEnvironment(place)) ?? (await makeWithProgress(place));
}

async function makeWithProgress(place: Place): Promise<string | undefined> {
  const options = { location: vscode.ProgressLocation.Notification, title: "Surefoot, setting up", cancellable: true };
  return await vscode.window.withProgress(options, async (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => {
      abort.abort();
    });
    const report = (message: string): void => {
      progress.report({ message });
    };
    return await makeEnvironment({ ...place, report, signal: abort.signal }).catch((error: unknown) => {
      if (abort.signal.aborted) return undefined;
      throw error;
    });
  });
}
