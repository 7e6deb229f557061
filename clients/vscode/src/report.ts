/** A run's report as a read-only document that follows the run. */
import * as vscode from "vscode";
import { ServerCommand, type RunParams, type ShowRunResult } from "./lspExt";

export const SCHEME = "surefoot-run";

/** Asks the server to carry out one of its commands. */
export type Execute = <Result>(command: string, params: object) => Promise<Result>;

export class RunReports implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #shown = new Map<string, vscode.Uri>();
  readonly #execute: Execute;
  readonly onDidChange = this.#changed.event;

  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /** Opens the report of a run, the current one when none is named. */
  async show(run: string | undefined): Promise<void> {
    const shown = await this.#fetch(run === undefined ? {} : { run });
    const name = `${shown.title.replace(/[^\p{L}\p{N} .,_-]+/gu, " ").trim()}.md`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: shown.run });
    this.#shown.set(shown.run, uri);
    this.#changed.fire(uri);
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  }

  /** The run moved: its report, if one is open, is read again. */
  refresh(run: string): void {
    const uri = this.#shown.get(run);
    if (uri !== undefined) this.#changed.fire(uri);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (await this.#fetch({ run: uri.query })).text;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #fetch(params: RunParams): Promise<ShowRunResult> {
    return await this.#execute<ShowRunResult>(ServerCommand.showRun, params);
  }
}
