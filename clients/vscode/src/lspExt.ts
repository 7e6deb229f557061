/**
 * What Surefoot adds to the Language Server Protocol. Mirrors server/surefoot/lsp/extensions.py: a test compares names and fields.
 */
import { NotificationType, type Position } from "vscode-languageclient/node";

/** Commands that the server runs (workspace/executeCommand); the palette's commands have other names and call these. */
export const ServerCommand = {
  start: "surefoot.server.start",
  apply: "surefoot.server.apply",
  applyAll: "surefoot.server.applyAll",
  revert: "surefoot.server.revert",
  skip: "surefoot.server.skip",
  cancel: "surefoot.server.cancel",
  applyProposal: "surefoot.server.applyProposal",
  showRun: "surefoot.server.showRun",
  next: "surefoot.server.next",
  resume: "surefoot.server.resume",
  finish: "surefoot.server.finish",
} as const;

/** Commands of this client that the server may put into a code action. */
export const ClientCommand = { renameEverywhere: "surefoot.renameEverywhere" } as const;

export interface InitializationOptions {
  diagnostics: boolean;
  rename: boolean;
  clientCommands: readonly string[];
}

export interface StartParams {
  task: string;
  root?: string;
  uri?: string;
  position?: Position;
  newName?: string;
}

export interface StartResult {
  run: string;
}

/** Names a run, a step of it, and the change that was shown; without a run the server takes the newest open one. */
export interface RunParams {
  run?: string;
  step?: string;
  change?: string;
}

export interface ProposalParams {
  id: string;
}

export interface ShowRunResult {
  run: string;
  title: string;
  text: string;
}

export type StepStatus = "planned" | "drafting" | "ready" | "applied" | "stale" | "skipped" | "refused" | "reverted";

export type RunStatus = "open" | "done" | "refused" | "escalated" | "limit" | "cancelled" | "attention";

export interface StepState {
  id: string;
  title: string;
  summary: string;
  status: StepStatus;
  files: number;
  added: number;
  removed: number;
  sites: number;
  wide: boolean;
  checks: string;
  reason: string;
}

export interface RunChanged {
  run: string;
  root: string;
  task: string;
  status: RunStatus;
  steps: StepState[];
  attention: boolean;
  message: string;
}

export const runChanged = new NotificationType<RunChanged>("surefoot/runChanged");
