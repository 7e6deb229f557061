/** The language client and all that hangs on it: the one object that commands work on. */
import * as vscode from "vscode";
import {
  ExecuteCommandRequest,
  type LanguageClientOptions,
  type Middleware,
  RevealOutputChannelOn,
  State,
  WorkDoneProgressCancelNotification,
} from "vscode-languageclient/node";
import * as config from "./config";
import { applyEdit } from "./edits";
import { ClientCommand, type EditTask, editTask, type InitializationOptions, runChanged, type RunChanged } from "./lspExt";
import { RunReports } from "./report";
import { type NoticeAction, Runs, sentence } from "./runs";
import { TooLate } from "./processes";
import { QuietClient, Restarts } from "./restarts";
import { findServer, offerWaysOut, type Server } from "./server";
import { SitesView } from "./sitesView";
import { CancellableProgress, StatusItem } from "./status";

/** Something a person asked for cannot be done; the text says why. */
export class CannotDo extends Error {}

export class Surefoot implements vscode.Disposable {
  readonly output = vscode.window.createOutputChannel("Surefoot", { log: true });
  readonly runs = new Runs();
  readonly reports = new RunReports(async (command, params) => await this.execute(command, params));
  readonly sites = new SitesView(async (command, params) => await this.execute(command, params));
  readonly #context: vscode.ExtensionContext;
  readonly #act: (action: NoticeAction, run: string) => void;
  readonly #saidOtherwise: (task: EditTask) => void;
  readonly #status = new StatusItem();
  readonly #progress = new CancellableProgress((token) => {
    void this.#client?.sendNotification(WorkDoneProgressCancelNotification.type, { token });
  });
  #client: QuietClient | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** `act` carries out what a person picks in a notice; `saidOtherwise` asks for other words for a task. */
  constructor(context: vscode.ExtensionContext, act: (action: NoticeAction, run: string) => void, saidOtherwise: (task: EditTask) => void) {
    this.#context = context;
    this.#act = act;
    this.#saidOtherwise = saidOtherwise;
  }

  get secrets(): vscode.SecretStorage {
    return this.#context.secrets;
  }

  /** Starts the server, or starts it again; one at a time, in the order asked. */
  async restart(): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      await this.#stop();
      await this.#start();
    });
    await this.#turn;
  }

  /** The answer of a server command. Raises CannotDo when no server runs, and what the server raises. */
  async execute<Result>(command: string, params: object): Promise<Result> {
    await this.#turn;
    if (this.#client === undefined) throw new CannotDo("Surefoot is not running. Choose “Surefoot: Restart Server”.");
    return (await this.#client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [params] })) as Result;
  }

  /** A person asked for this run here: they are told how it goes. */
  ask(run: string): void {
    this.runs.ask(run);
    void this.#tell(run);
  }

  /** Stops the server. Nobody waits for it when the window closes; a server whose input ends stops by itself. */
  dispose(): void {
    void this.#stop();
    this.#status.dispose();
    this.reports.dispose();
    this.sites.dispose();
    this.output.dispose();
  }

  async #start(): Promise<void> {
    this.#status.show({ mood: "starting", text: "Surefoot", detail: "Starting the server." });
    let server: Server | undefined;
    try {
      server = await findServer(this.#context, this.output);
      if (server === undefined) {
        this.#status.show({ mood: "stopped", text: "Surefoot", detail: "Setting up was cancelled. Click to start again." });
        return;
      }
      const restarts = new Restarts(() => {
        void this.#gaveUp();
      });
      const client = new QuietClient("surefoot", "Surefoot", server, { ...this.#options(), errorHandler: restarts });
      client.onNotification(runChanged, (change) => {
        this.#took(change);
      });
      client.onNotification(editTask, this.#saidOtherwise);
      client.onDidChangeState(({ newState }) => {
        this.#moved(newState);
      });
      this.#client = client;
      await client.start().catch((error: unknown) => {
        this.output.error(String(error));
        throw error instanceof TooLate ? error : new CannotDo("The server ended before it answered: the output says why.");
      });
      restarts.ran();
    } catch (error) {
      this.#client = undefined;
      this.#status.show({ mood: "stopped", text: "Surefoot", detail: "The server could not be started. Click to try again." });
      // Not awaited: a changed setting may start the server while the message still stands there.
      void this.#offer(error, server);
    }
  }

  async #offer(error: unknown, server: Server | undefined): Promise<void> {
    if (await offerWaysOut(error, server, this.output)) await this.restart();
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.runs.clear();
    if (client?.needsStop() === true)
      await client.stop().catch((error: unknown) => {
        this.output.warn(`The server did not stop in good order: ${String(error)}`);
      });
  }

  #took(change: RunChanged): void {
    this.runs.update(change);
    this.#status.show(this.runs.summary());
    this.reports.refresh(change.run);
    void this.#tell(change.run);
  }

  /** Shows what is new of a run, once its progress has left the corner: what is true by then. */
  async #tell(run: string): Promise<void> {
    await this.#progress.gone(this.runs.taskOf(run));
    const notice = this.runs.news(run);
    if (notice === undefined) return;
    const show = notice.level === "info" ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    const picked = await show(notice.text, ...notice.actions);
    if (picked !== undefined) this.#act(picked, run);
  }

  #moved(state: State): void {
    if (state === State.Running) this.#status.show(this.runs.summary());
    if (state === State.Starting) this.#status.show({ mood: "starting", text: "Surefoot", detail: "Starting the server." });
    if (state !== State.Stopped && state !== State.StartFailed) return;
    this.runs.clear();
    this.#progress.endAll();
    this.#status.show({ mood: "stopped", text: "Surefoot", detail: "The server is not running. Click to start it again." });
  }

  async #gaveUp(): Promise<void> {
    const text = "The Surefoot server stopped again and again, so it stays off.";
    const picked = await vscode.window.showErrorMessage(text, "Restart Server", "Show Output");
    if (picked === "Restart Server") await this.restart();
    if (picked === "Show Output") this.output.show();
  }

  #options(): LanguageClientOptions {
    return {
      documentSelector: config.READ_LANGUAGES.map((language) => ({ scheme: "file", language })),
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: whatServerReads(),
      // The client's own message would show its error as it came; #start tells it.
      initializationFailedHandler: () => false,
      middleware: this.#middleware(),
      stdioOptions: { stdout: logLines, stderr: logLines },
    };
  }

  #middleware(): Middleware {
    return {
      handleWorkDoneProgress: (token, work, next) => {
        this.#progress.handle(token, work, next);
      },
      handleDiagnostics: (uri, diagnostics, next) => {
        const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
        next(uri, open !== undefined && !config.showsDiagnostics(open) ? [] : diagnostics);
      },
      provideCodeActions: (document, range, context, token, next) =>
        config.isChanged(document) ? next(document, range, context, token) : undefined,
      prepareRename: (document, position, token, next) => (config.answersRename(document) ? next(document, position, token) : undefined),
      provideRenameEdits: async (document, position, name, token, next) => {
        if (!config.answersRename(document)) return undefined;
        try {
          return await next(document, position, name, token);
        } catch (error) {
          // VS Code would cut the reason off after one line. An edit of nothing ends its rename without a word more.
          showError(error);
          return new vscode.WorkspaceEdit();
        }
      },
      workspace: {
        // Settings differ by language, and the server knows one answer for all; a change of them starts it again.
        configuration: ({ items }) => items.map(({ section }) => (section === "surefoot" ? whatServerReads() : null)),
        didChangeConfiguration: () => Promise.resolve(),
        handleApplyEdit: applyEdit,
      },
      // A code action's command: its error is a sentence for a person, not a stack trace in a corner.
      executeCommand: async (command, args, next): Promise<unknown> => {
        try {
          return await next(command, args);
        } catch (error) {
          showError(error);
          return undefined;
        }
      },
    };
  }
}

function whatServerReads(): InitializationOptions {
  return { diagnostics: config.anyDiagnostics(), rename: config.anyRename(), clientCommands: Object.values(ClientCommand) };
}

const ONE_LINE = 50;

/** What the server says as a sentence of a notice. */
export function asSentence(words: string): string {
  // A word starts its sentence with a capital; a path or a name stays as it is.
  return sentence(words).replace(/^[a-z]+(?=[ :,])/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** Shows why something was not done. */
export function showError(error: unknown): void {
  const text = asSentence(error instanceof Error ? error.message : String(error));
  // A message without a button is shown on one line, cut off where that ends.
  void vscode.window.showWarningMessage(text, ...(text.length > ONE_LINE ? ["OK"] : []));
}

/** Puts what the server logs into the output channel, at its own level. */
function logLines(input: NodeJS.ReadableStream, output: vscode.LogOutputChannel): void {
  let rest = "";
  input.setEncoding("utf8");
  input.on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) logLine(line, output);
  });
}

/** A line without a level is part of a stack trace, or something that should never have been printed. */
function logLine(line: string, output: vscode.LogOutputChannel): void {
  if (/^(INFO|DEBUG) /.test(line)) output.info(line);
  else if (line.startsWith("WARNING ")) output.warn(line);
  else output.error(line);
}
