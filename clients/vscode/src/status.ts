/** The status bar item, and the progress notifications that a person can cancel. */
import * as vscode from "vscode";
import type { HandleWorkDoneProgressSignature, ProgressToken } from "vscode-languageclient/node";
import type { Mood, Summary } from "./runs";
import { Standing } from "./standing";

const ICONS: Readonly<Record<Mood, string>> = {
  stopped: "$(circle-slash)",
  starting: "$(sync~spin)",
  idle: "$(check)",
  working: "$(sync~spin)",
  ready: "$(lightbulb)",
  attention: "$(warning)",
};

export class StatusItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("surefoot.status", vscode.StatusBarAlignment.Left, 10);

  constructor() {
    this.#item.name = "Surefoot";
    this.show({ mood: "starting", text: "Surefoot", detail: "Starting the server." });
    this.#item.show();
  }

  show(summary: Summary): void {
    this.#item.text = `${ICONS[summary.mood]} ${summary.text}`;
    this.#item.command = summary.mood === "stopped" ? "surefoot.restartServer" : "surefoot.showRun";
    this.#item.backgroundColor = summary.mood === "attention" ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.#item.tooltip = summary.detail;
  }

  dispose(): void {
    this.#item.dispose();
  }
}

type WorkDone = Parameters<HandleWorkDoneProgressSignature>[1];

interface Shown {
  report(message: string | undefined, percentage: number | undefined): void;
  end(): void;
}

/**
 * Shows each cancellable progress of the server as a notification with a Cancel button.
 *
 * The language client alone shows all progress in the status bar, where nothing can be cancelled.
 */
export class CancellableProgress {
  readonly #shown = new Map<ProgressToken, Shown>();
  readonly #standing = new Standing();
  readonly #cancel: (token: ProgressToken) => void;

  constructor(cancel: (token: ProgressToken) => void) {
    this.#cancel = cancel;
  }

  handle(token: ProgressToken, work: WorkDone, next: HandleWorkDoneProgressSignature): void {
    const shown = this.#shown.get(token);
    if (work.kind === "begin" && work.cancellable === true) {
      const opened = this.#open(token, work.title);
      opened.report(work.message, work.percentage);
      this.#shown.set(token, opened);
    } else if (shown === undefined) {
      next(token, work);
    } else if (work.kind === "report") {
      shown.report(work.message, work.percentage);
    } else {
      shown.end();
      this.#shown.delete(token);
    }
  }

  /** Closes every notification: the server that would have ended them is gone. */
  endAll(): void {
    for (const shown of this.#shown.values()) shown.end();
    this.#shown.clear();
  }

  /** Resolves when the progress of a task stands in the window no more; a task's progress is named after it. */
  async gone(task: string): Promise<void> {
    await this.#standing.gone(`Surefoot: ${task}`);
  }

  #open(token: ProgressToken, title: string): Shown {
    const { promise, resolve } = withResolvers();
    const standsNoMore = this.#standing.put(title);
    let at = 0;
    let show: vscode.Progress<{ message?: string; increment?: number }> | undefined;
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, (progress, cancelled) => {
      show = progress;
      cancelled.onCancellationRequested(() => {
        this.#cancel(token);
      });
      return promise;
    });
    return {
      report: (message, percentage): void => {
        const step = percentage === undefined ? {} : { increment: percentage - at };
        at = percentage ?? at;
        show?.report({ ...(message === undefined ? {} : { message }), ...step });
      },
      end: (): void => {
        resolve();
        standsNoMore();
      },
    };
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
