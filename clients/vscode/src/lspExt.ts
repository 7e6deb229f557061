/**
 * What Surefoot adds to the Language Server Protocol. Mirrors server/surefoot/lsp/extensions.py: a test compares names and fields.
 */
import { type Location, NotificationType, type Position, type Range } from "vscode-languageclient/node";

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
  sites: "surefoot.server.sites",
  overrule: "surefoot.server.overrule",
  stronger: "surefoot.server.stronger",
} as const;

/** Commands of this client that the server may put into a code action. */
export const ClientCommand = { renameEverywhere: "surefoot.renameEverywhere", doTask: "surefoot.doTask" } as const;

/** In the `needs` of an error's data: a key would help. */
export const NEEDS_KEY = "surefoot/key";

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
  quoted?: string;
}

export interface StartResult {
  run: string;
}

/** Names a run, a step of it, and the change that was shown; without a run the server takes the newest open one. */
/** What comes with the refusal of a task that needs a model: tasks that need none. */
export interface NeedsKey {
  needs: string;
  forms: string[];
}

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
  cost: string;
  asks: boolean;
  stronger: boolean;
}

/** The words of a task that a person wants to say otherwise, and the root that it is of. */
export interface EditTask {
  task: string;
  root: string;
}

/** The place of the symbol whose sites are wanted, and what the editor's own language server answers for it; the server may ask its own. */
export interface SitesParams {
  uri: string;
  position: Position;
  tests: boolean;
  flat: boolean;
  tiers?: Tier[];
  others?: Location[];
  secondOpinion?: boolean;
}

export type Tier = "exact" | "family" | "string" | "likely" | "mention" | "excluded";

export interface SymbolShown {
  name: string;
  kind: string;
  container: string;
  uri: string;
  range: Range;
}

/** Who lists a site: both servers, ours alone where the other should, theirs against our tier, or "" where that was not asked. */
export type Opinion = "" | "both" | "ours" | "theirs";

export interface SiteShown {
  uri: string;
  range: Range;
  kind: string;
  tier: Tier;
  reason: string;
  function: string;
  test: boolean;
  text: string;
  opinion: Opinion;
}

export interface NotScanned {
  uri: string;
  reason: string;
}

export interface TierCount {
  tier: Tier;
  sites: number;
  files: number;
}

export interface ServerSaid {
  name: string;
  version: string;
  said: string;
}

export interface SitesResult {
  name: string;
  symbols: SymbolShown[];
  sites: SiteShown[];
  notScanned: NotScanned[];
  counts: TierCount[];
  servers?: ServerSaid[];
}

export const runChanged = new NotificationType<RunChanged>("surefoot/runChanged");
export const editTask = new NotificationType<EditTask>("surefoot/editTask");
