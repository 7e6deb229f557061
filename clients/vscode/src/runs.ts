/** What this window knows of the runs, and what it says about them. Pure: no editor, no server. */
import type { RunChanged, RunStatus, StepState } from "./lspExt";

export type Mood = "stopped" | "starting" | "idle" | "working" | "ready" | "attention";

export interface Summary {
  mood: Mood;
  text: string;
  detail: string;
}

export interface Notice {
  level: "info" | "warning";
  text: string;
  actions: readonly NoticeAction[];
}

export type NoticeAction = "Apply" | "Next Step" | "Apply All" | "Show Run";

/** The latest state of each run, newest last. */
export class Runs {
  readonly #runs = new Map<string, RunChanged>();
  readonly #asked = new Set<string>();
  readonly #told = new Map<string, string>();

  /** A person asked for this run here, so they are told how it goes. */
  ask(run: string): void {
    this.#asked.add(run);
  }

  /** Takes in a change. A run with the stronger model is one that a person chose in the server's own question. */
  update(change: RunChanged): void {
    if (change.stronger) this.ask(change.run);
    this.#runs.delete(change.run);
    this.#runs.set(change.run, change);
  }

  /** What a person should now be told about a run: each thing once. */
  news(name: string): Notice | undefined {
    const run = this.#runs.get(name);
    const found = run === undefined ? undefined : noticeOf(run);
    if (run === undefined || found === undefined || !this.#asked.has(name)) return undefined;
    if (this.#told.get(name) === found.text) return undefined;
    this.#told.set(name, found.text);
    return found;
  }

  taskOf(name: string): string {
    return this.#runs.get(name)?.task ?? "";
  }

  /** The run that commands mean when they name none. */
  get current(): RunChanged | undefined {
    const all = [...this.#runs.values()].reverse();
    return all.find((run) => run.status === "open" || run.attention) ?? all[0];
  }

  /** Forgets everything: a new server tells its open runs again. */
  clear(): void {
    this.#runs.clear();
    this.#asked.clear();
    this.#told.clear();
  }

  summary(): Summary {
    const run = this.current;
    if (run === undefined)
      return { mood: "idle", text: "Surefoot", detail: "No run yet. Put the cursor on a name and choose Rename Everywhere." };
    if (run.attention) return { mood: "attention", text: "Surefoot: needs you", detail: attentionText(run) };
    if (run.status !== "open") return { mood: "idle", text: "Surefoot", detail: closing(run) };
    const ready = count(run, "ready");
    const detail = run.cost === "" ? run.task : `${run.task} (${run.cost} so far)`;
    if (drafting(run)) {
      const so = ready === 0 ? "" : `, ${plural(ready, "step")} ready`;
      return { mood: "working", text: `Surefoot: drafting${so}`, detail };
    }
    if (ready > 0) return { mood: "ready", text: `Surefoot: ${plural(ready, "step")} ready`, detail };
    // It waits for the answer to the server's question, which may have gone out of sight.
    if (run.asks) return { mood: "attention", text: "Surefoot: given up", detail: `“${run.task}”: ${sentence(run.message)}` };
    return { mood: "idle", text: "Surefoot", detail };
  }
}

function noticeOf(run: RunChanged): Notice | undefined {
  // The server itself asks what to do with a run that wants attention, or that a model's attempts were used up on.
  if (run.asks) return undefined;
  if (run.status === "open") return drafting(run) ? undefined : readyNotice(run);
  if (run.status === "done") return undefined;
  return { level: run.status === "cancelled" ? "info" : "warning", text: closing(run), actions: ["Show Run"] };
}

/** Said once all steps are drafted and none is applied yet. */
function readyNotice(run: RunChanged): Notice | undefined {
  const ready = run.steps.filter((step) => step.status === "ready");
  const refused = count(run, "refused");
  const first = ready[0];
  if (first === undefined || count(run, "applied") > 0) return undefined;
  if (refused > 0) {
    const text = `“${run.task}”: ${plural(ready.length, "step")} ready, ${String(refused)} could not be drafted: ${sentence(run.message)}`;
    return { level: "warning", text, actions: ["Next Step", "Show Run"] };
  }
  const cost = run.cost === "" ? "" : ` (${run.cost})`;
  if (ready.length === 1) return { level: "info", text: `Ready: ${first.summary}${cost}`, actions: ["Apply", "Show Run"] };
  const text = `${plural(ready.length, "step")} ready for “${run.task}”${cost}. First: ${first.summary}`;
  return { level: "info", text, actions: ["Next Step", "Apply All", "Show Run"] };
}

function attentionText(run: RunChanged): string {
  return `“${run.task}” needs you: ${sentence(run.message)}`;
}

const ENDINGS: Readonly<Record<RunStatus, string>> = {
  open: "is open",
  done: "is done",
  refused: "was refused",
  escalated: "was given up",
  limit: "came to a limit",
  cancelled: "was cancelled",
  attention: "needs you",
};

function closing(run: RunChanged): string {
  // Who cancelled knows why.
  const plain = run.message === "" || run.status === "done" || run.status === "cancelled";
  const reason = plain ? "." : `: ${sentence(run.message)}`;
  const unchanged = run.status === "done" || run.steps.some((step) => step.status === "applied") ? "" : " Nothing was changed.";
  return `“${run.task}” ${ENDINGS[run.status]}${reason}${unchanged}`;
}

function drafting(run: RunChanged): boolean {
  return run.steps.length === 0 || run.steps.some((step) => step.status === "planned" || step.status === "drafting");
}

function count(run: RunChanged, status: StepState["status"]): number {
  return run.steps.filter((step) => step.status === status).length;
}

function plural(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}

/** A server's words as a sentence of a notice, where code cannot be marked up. */
export function sentence(text: string): string {
  const plain = text.replace(/`([^`]*)`/g, "‘$1’");
  return /[.!?]$/.test(plain) ? plain : `${plain}.`;
}
