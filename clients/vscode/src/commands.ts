/** What the palette offers: one function per command. */
import * as vscode from "vscode";
import type { Position } from "vscode-languageclient/node";
import { CannotDo, showError, type Surefoot } from "./client";
import { type RunParams, ServerCommand, type StartParams, type StartResult } from "./lspExt";
import { problemWithName } from "./names";
import type { NoticeAction } from "./runs";

type Command = (app: Surefoot, ...args: unknown[]) => Promise<void>;

/** Asks for a new name for the symbol under the cursor, or at `[uri, position]`, and starts its rename. */
export async function renameEverywhere(app: Surefoot, ...args: unknown[]): Promise<void> {
  const { document, position } = await targetOf(args);
  const range = document.getWordRangeAtPosition(position);
  const old = range === undefined ? "" : document.getText(range);
  if (problemWithName(old, "", document.languageId) !== undefined) {
    throw new CannotDo("Put the cursor on the name to change, then choose Rename Everywhere again.");
  }
  const typed = await vscode.window.showInputBox({
    title: `Rename ${old} everywhere`,
    prompt: "Definitions, calls, imports and aliases follow. Nothing changes until you apply it.",
    value: old,
    ignoreFocusOut: true,
    validateInput: (name) => (name.trim() === old ? undefined : problemWithName(name.trim(), old, document.languageId)),
  });
  const newName = typed?.trim();
  if (newName === undefined || newName === old) return;
  const params: StartParams = {
    task: `rename ${old} to ${newName}`,
    uri: document.uri.toString(),
    position: { line: position.line, character: position.character },
    newName,
  };
  const { run } = await app.execute<StartResult>(ServerCommand.start, params);
  app.ask(run);
}

/** Applies the first step that is ready. */
export async function nextStep(app: Surefoot, run?: unknown): Promise<void> {
  await app.execute(ServerCommand.next, inRun(run));
}

export async function applyAllSteps(app: Surefoot, run?: unknown): Promise<void> {
  await app.execute(ServerCommand.applyAll, inRun(run));
}

export async function revertLastStep(app: Surefoot, run?: unknown): Promise<void> {
  await app.execute(ServerCommand.revert, inRun(run));
}

export async function cancelRun(app: Surefoot, run?: unknown): Promise<void> {
  await app.execute(ServerCommand.cancel, inRun(run));
}

/** Lets a run that wants attention go on from its last valid state. */
export async function resumeRun(app: Surefoot, run?: unknown): Promise<void> {
  await app.execute(ServerCommand.resume, inRun(run));
}

/** Brings an edit that was cut short to the documents that it did not reach. */
export async function finishStep(app: Surefoot, run?: unknown): Promise<void> {
  await app.execute(ServerCommand.finish, inRun(run));
}

export async function showRun(app: Surefoot, run?: unknown): Promise<void> {
  await app.reports.show(inRun(run).run);
}

/** Lists every site of the symbol under the cursor. */
export async function showAllSites(app: Surefoot): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new CannotDo("Open a file and put the cursor on the name that you look for.");
  if (editor.document.uri.scheme !== "file") throw new CannotDo("Surefoot looks into files on disk only: save this one first.");
  await app.sites.show(editor.document.uri, editor.selection.active);
}

export async function restartServer(app: Surefoot): Promise<void> {
  await app.restart();
}

export function showOutput(app: Surefoot): Promise<void> {
  app.output.show();
  return Promise.resolve();
}

const COMMANDS: Readonly<Record<string, Command>> = {
  "surefoot.renameEverywhere": renameEverywhere,
  "surefoot.nextStep": nextStep,
  "surefoot.applyAllSteps": applyAllSteps,
  "surefoot.revertLastStep": revertLastStep,
  "surefoot.cancelRun": cancelRun,
  "surefoot.resumeRun": resumeRun,
  "surefoot.finishStep": finishStep,
  "surefoot.showRun": showRun,
  "surefoot.showAllSites": showAllSites,
  "surefoot.refreshSites": (app) => app.sites.refresh(),
  "surefoot.askServers": (app) => app.sites.askServers(),
  "surefoot.clearSites": (app) => app.sites.clear(),
  "surefoot.showTestSites": (app) => app.sites.withTests(true),
  "surefoot.hideTestSites": (app) => app.sites.withTests(false),
  "surefoot.openSite": (app, node) => app.sites.open(node),
  "surefoot.restartServer": restartServer,
  "surefoot.showOutput": showOutput,
};

const BUTTONS: Readonly<Record<NoticeAction, Command>> = {
  Apply: nextStep,
  "Next Step": nextStep,
  "Apply All": applyAllSteps,
  "Show Run": showRun,
};

/** Registers every command; what one cannot do is shown as a sentence. */
export function registerCommands(app: Surefoot): vscode.Disposable {
  const registered = Object.entries(COMMANDS).map(([id, command]) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      await command(app, ...args).catch(showError);
    }),
  );
  return vscode.Disposable.from(...registered);
}

/** Does what a person picked in a notice about `run`. */
export function pressButton(app: Surefoot, action: NoticeAction, run: string): void {
  void BUTTONS[action](app, run).catch(showError);
}

function inRun(run: unknown): RunParams {
  return typeof run === "string" ? { run } : {};
}

async function targetOf([uri, position]: unknown[]): Promise<{ document: vscode.TextDocument; position: vscode.Position }> {
  if (typeof uri === "string" && isPosition(position)) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    return { document, position: new vscode.Position(position.line, position.character) };
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new CannotDo("Open a file and put the cursor on the name to change.");
  if (editor.document.uri.scheme !== "file") throw new CannotDo("Surefoot changes files on disk only: save this one first.");
  return { document: editor.document, position: editor.selection.active };
}

function isPosition(value: unknown): value is Position {
  return typeof value === "object" && value !== null && "line" in value && "character" in value;
}
