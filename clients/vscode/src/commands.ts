/** What the palette offers: one function per command. */
import * as vscode from "vscode";
import type { Position } from "vscode-languageclient/node";
import { ResponseError } from "vscode-languageclient/node";
import { asSentence, CannotDo, showError, type Surefoot } from "./client";
import { askForKey, forgetKey } from "./key";
import { type EditTask, NEEDS_KEY, type NeedsKey, type RunParams, ServerCommand, type StartParams, type StartResult } from "./lspExt";
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

const EXAMPLE = "let parse_date take ISO weeks, and test that";

/** Asks for a task in words, unless `given` has them, and starts it. */
export async function doTask(app: Surefoot, given?: unknown): Promise<void> {
  if (isTask(given)) {
    await begin(app, given);
    return;
  }
  const words = await askForTask("");
  if (words !== undefined) await begin(app, { task: words, ...rootOfWindow() });
}

/** Asks for other words for a task, from those that are there. */
export function sayOtherwise(app: Surefoot, { task, root }: EditTask): void {
  const again = async (): Promise<void> => {
    const words = await askForTask(task);
    if (words !== undefined) await begin(app, { task: words, root });
  };
  void again().catch(showError);
}

async function askForTask(value: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: "What is to be done?",
    prompt: "A rename or a change of parameters needs no key; any other words are planned by Claude. Each step is checked first.",
    placeHolder: EXAMPLE,
    value,
    ignoreFocusOut: true,
  });
  const words = typed?.trim() ?? "";
  return words === "" ? undefined : words;
}

async function begin(app: Surefoot, params: StartParams): Promise<void> {
  try {
    const { run } = await app.execute<StartResult>(ServerCommand.start, params);
    app.ask(run);
  } catch (error) {
    if (!needsKey(error)) throw error;
    const picked = await vscode.window.showWarningMessage(asSentence(error.message), "Set API Key…", "What Needs No Key");
    if (picked === "What Needs No Key") await withoutKey(app, params, error.data?.forms ?? []);
    if (picked === "Set API Key…" && (await askForKey(app.secrets))) {
      await app.restart();
      await begin(app, params);
    }
  }
}

/** Lets a person choose among the tasks that need no model, and fill in what the form leaves open. */
async function withoutKey(app: Surefoot, { root }: StartParams, forms: readonly string[]): Promise<void> {
  const title = "Tasks that need no key";
  const placeHolder = "Words in capitals stand for yours: you fill them in next";
  const form = await vscode.window.showQuickPick(forms, { title, placeHolder, ignoreFocusOut: true });
  const words = form === undefined ? undefined : await askForTask(form);
  if (words !== undefined) await begin(app, { task: words, ...(root === undefined ? rootOfWindow() : { root }) });
}

function needsKey(error: unknown): error is ResponseError<NeedsKey> {
  return error instanceof ResponseError && (error.data as Partial<NeedsKey> | undefined)?.needs === NEEDS_KEY;
}

function isTask(given: unknown): given is StartParams {
  return typeof given === "object" && given !== null && "task" in given && typeof given.task === "string";
}

/** The folder of the file at work, where several are open. */
function rootOfWindow(): { root?: string } {
  const at = vscode.window.activeTextEditor?.document.uri;
  const folder = at === undefined ? undefined : vscode.workspace.getWorkspaceFolder(at);
  const root = folder ?? vscode.workspace.workspaceFolders?.[0];
  return root === undefined ? {} : { root: root.uri.toString() };
}

/** Keeps a key for Claude, and starts the server with it. */
export async function setApiKey(app: Surefoot): Promise<void> {
  if (await askForKey(app.secrets)) await app.restart();
}

/** Forgets the key, and starts the server without it. */
export async function forgetApiKey(app: Surefoot): Promise<void> {
  if (!(await forgetKey(app.secrets))) throw new CannotDo("No key is stored in this editor.");
  await app.restart();
}

/** Offers a step that holds and that only the judge is against. */
export async function offerAnyway(app: Surefoot, run?: unknown): Promise<void> {
  await app.execute(ServerCommand.overrule, inRun(run));
}

/** Does the task of a run that was given up again, with the stronger model. */
export async function useStrongerModel(app: Surefoot, run?: unknown): Promise<void> {
  const begun = await app.execute<StartResult>(ServerCommand.stronger, inRun(run));
  app.ask(begun.run);
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
  "surefoot.doTask": doTask,
  "surefoot.setApiKey": setApiKey,
  "surefoot.forgetApiKey": forgetApiKey,
  "surefoot.offerAnyway": offerAnyway,
  "surefoot.useStrongerModel": useStrongerModel,
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
