/** What happens when the server ends unasked: it is started again, until that is plainly of no use. */
import { CloseAction, type CloseHandlerResult, ErrorAction, type ErrorHandlerResult, LanguageClient } from "vscode-languageclient/node";

const MOST_RESTARTS = 4;
const WITHIN_MS = 3 * 60 * 1000;

/** A client that writes its errors to the log only: each kind of failure is told in our own words, once, where it is handled. */
export class QuietClient extends LanguageClient {
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
