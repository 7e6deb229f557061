/** What happens when the server ends unasked: it is started again, until that is plainly of no use. */
import { CloseAction, type CloseHandlerResult, ErrorAction, type ErrorHandlerResult, LanguageClient } from "vscode-languageclient/node";
import { stopForGood, within } from "./processes";

const MOST_RESTARTS = 4;
const WITHIN_MS = 3 * 60 * 1000;
const START_SECONDS = 60;

/** A client that writes its errors to the log only: each kind of failure is told in our own words, once, where it is handled. */
export class QuietClient extends LanguageClient {
  /** Starts the server; the client's own restarts come through here too. One that does not answer is stopped. Raises TooLate. */
  override async start(): Promise<void> {
    await within(START_SECONDS * 1000, super.start(), () => {
      stopForGood(this.serverProcess);
      return `The server did not answer within ${START_SECONDS} seconds, so it was stopped.`;
    });
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Restarts a server that had run, at most four times in three minutes, then calls `giveUp`. One that never ran is not tried again. */
export class Restarts {
  readonly #times: number[] = [];
  readonly #giveUp: () => void;
  #ran = false;

  constructor(giveUp: () => void) {
    this.#giveUp = giveUp;
  }

  /** The server answered: if it ends now, that is worth another try. */
  ran(): void {
    this.#ran = true;
  }

  error(): ErrorHandlerResult {
    return { action: ErrorAction.Continue };
  }

  closed(): CloseHandlerResult {
    if (!this.#ran) return { action: CloseAction.DoNotRestart, handled: true };
    const now = Date.now();
    this.#times.push(now);
    const recent = this.#times.filter((time) => now - time < WITHIN_MS);
    if (recent.length <= MOST_RESTARTS) return { action: CloseAction.Restart, handled: true };
    this.#giveUp();
    return { action: CloseAction.DoNotRestart, handled: true };
  }
}
