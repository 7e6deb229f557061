/** Which progress notifications stand in the window, so that a notice need not come beside the one it follows. Knows no editor. */
import { within } from "./processes";

/** VS Code shows a progress notification for 800 ms at least, however soon its work ends; the rest is for it to go. */
const LEAST_MS = 1000;
/** Longer than this nothing waits: work that goes on must not keep back what a person should know. */
const PATIENCE_MS = 3000;

interface Notification {
  title: string;
  gone: Promise<void>;
}

export class Standing {
  readonly #all = new Set<Notification>();
  readonly #least: number;
  readonly #patience: number;

  constructor(least = LEAST_MS, patience = PATIENCE_MS) {
    this.#least = least;
    this.#patience = patience;
  }

  /** A notification with this title came up; its work has ended when the answer is called. */
  put(title: string): () => void {
    const since = Date.now();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const gone = ended.then(() => new Promise<void>((resolve) => setTimeout(resolve, this.#least - (Date.now() - since))));
    const notification = { title, gone };
    this.#all.add(notification);
    void gone.then(() => this.#all.delete(notification));
    return end;
  }

  /** Resolves when no notification with this title stands any more, or when that takes too long. */
  async gone(title: string): Promise<void> {
    const waiting = [...this.#all].filter((notification) => notification.title === title).map(({ gone }) => gone);
    await within(this.#patience, Promise.all(waiting), () => title).catch(() => undefined);
  }
}
