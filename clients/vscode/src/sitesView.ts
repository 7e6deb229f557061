/** The view of a symbol's sites: asked of the server, held against what VS Code's own references say, kept while text moves. */
import * as vscode from "vscode";
import type { Location } from "vscode-languageclient/node";
import { ServerCommand, type SitesParams, type SitesResult } from "./lspExt";
import { within } from "./processes";
import type { Execute } from "./report";
import { type Second, type SiteNode, Sites } from "./sites";

const VIEW = "surefoot.sites";
/** A server that is still reading its project may take minutes; what it says later nobody waits for. */
const OPINION_MS = 5000;
const ICONS: Readonly<Record<"ours" | "theirs" | "test" | "plain", vscode.ThemeIcon>> = {
  ours: new vscode.ThemeIcon("question", new vscode.ThemeColor("list.warningForeground")),
  theirs: new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground")),
  test: new vscode.ThemeIcon("beaker"),
  plain: new vscode.ThemeIcon("circle-small"),
};

type Anchor = Sites["anchor"];

export class SitesView implements vscode.TreeDataProvider<SiteNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #execute: Execute;
  readonly #listening: vscode.Disposable;
  readonly #view: vscode.TreeView<SiteNode>;
  #sites: Sites | undefined;
  #roots: readonly SiteNode[] = [];
  #tests = true;
  /** Counts what was asked: an answer to an earlier question comes too late. */
  #turn = 0;
  /** Before the view is first seen there is nothing to draw again. */
  #loaded = false;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(execute: Execute) {
    this.#execute = execute;
    this.#view = vscode.window.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: true });
    this.#listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const edits = contentChanges.map(({ range, text }) => ({ range, text }));
      if (this.#sites?.edited(document.uri.toString(), edits, (word) => document.getText().includes(word)) === true) this.#tell();
    });
  }

  /** Shows every site of the symbol at a place. Raises what the server raises; what is shown then stays. */
  async show(uri: vscode.Uri, { line, character }: vscode.Position): Promise<void> {
    await this.#look({ uri: uri.toString(), position: { line, character } });
    // Not with `reveal`: where a tree is loaded twice at once, VS Code may give a group the lines of another.
    await vscode.commands.executeCommand(`${VIEW}.focus`);
  }

  /** Looks again for the symbol that is shown, wherever it has moved. */
  async refresh(): Promise<void> {
    if (this.#sites !== undefined) await this.#look(this.#sites.anchor);
  }

  /** Looks again, and has Surefoot start the language servers of the symbol's languages and ask them: the editor may have none. */
  async askServers(): Promise<void> {
    if (this.#sites === undefined) return;
    const { anchor } = this.#sites;
    this.#turn += 1;
    const turn = this.#turn;
    const params: SitesParams = { ...anchor, tests: true, flat: false, secondOpinion: true };
    const found = await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.#ask(params));
    if (turn === this.#turn) await this.#take(found, anchor, "asked");
  }

  /** Forgets what is shown. */
  async clear(): Promise<void> {
    this.#turn += 1;
    this.#sites = undefined;
    await this.#redraw();
  }

  /** Lists test code, too, or leaves it out. */
  async withTests(tests: boolean): Promise<void> {
    this.#tests = tests;
    await this.#redraw();
  }

  /** Opens the file at a site, with the site selected. */
  async open(node: unknown): Promise<void> {
    const { uri, site } = node as SiteNode;
    const place = site ?? (uri === undefined ? undefined : { uri, range: undefined });
    if (place === undefined) return;
    const { range } = place;
    const selection = range && new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
    await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(place.uri), { preview: true, ...(selection && { selection }) });
  }

  getTreeItem(node: SiteNode): vscode.TreeItem {
    const state = vscode.TreeItemCollapsibleState;
    const folds = node.open ? state.Expanded : state.Collapsed;
    const item = new vscode.TreeItem(node.label, node.children.length === 0 ? state.None : folds);
    item.id = `${this.#sites?.name ?? ""} ${node.id}`;
    item.description = node.description;
    item.tooltip = node.tooltip;
    item.accessibilityInformation = { label: [node.label, node.description].filter(Boolean).join(", ") };
    item.contextValue = node.kind;
    if (node.kind === "file") item.iconPath = vscode.ThemeIcon.File;
    if (node.kind === "site") item.iconPath = ICONS[node.differs ?? (node.test === true ? "test" : "plain")];
    if (node.uri !== undefined) item.resourceUri = vscode.Uri.parse(node.uri);
    if (node.children.length === 0) item.command = { command: "surefoot.openSite", title: "Open Site", arguments: [node] };
    return item;
  }

  getChildren(node?: SiteNode): SiteNode[] {
    this.#loaded = true;
    return [...(node === undefined ? this.#roots : node.children)];
  }

  dispose(): void {
    this.#listening.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  async #look(anchor: Anchor): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const params: SitesParams = { ...anchor, tests: true, flat: false };
    const opinion = secondOpinion(anchor);
    const found = await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.#ask(params));
    if (turn !== this.#turn) return;
    await this.#take(found, anchor, "waiting");
    void this.#unite(turn, params, opinion);
  }

  /** Asks again with what the other server said, as soon as it has; not about text that has moved meanwhile. */
  async #unite(turn: number, params: SitesParams, opinion: Promise<Location[] | undefined>): Promise<void> {
    const others = await opinion;
    const current = (): Sites | undefined => (turn === this.#turn && this.#sites?.outdated === false ? this.#sites : undefined);
    const before = current();
    if (before === undefined) return;
    if (others === undefined) {
      before.second = "none";
      this.#tell();
      return;
    }
    // Our own answer stands there already: without the other one it is no worse.
    const united = await this.#ask({ ...params, others }).catch(() => undefined);
    if (current() !== undefined && united !== undefined) await this.#take(united, before.anchor, "united");
  }

  async #ask(params: SitesParams): Promise<SitesResult> {
    return await this.#execute<SitesResult>(ServerCommand.sites, params);
  }

  async #take(found: SitesResult, anchor: Anchor, second: Second): Promise<void> {
    this.#sites = new Sites(found, anchor, second);
    await this.#redraw();
  }

  async #redraw(): Promise<void> {
    this.#roots = this.#sites?.tree(this.#tests, shownPath) ?? [];
    await setContext("found", this.#sites !== undefined);
    await setContext("tests", this.#tests);
    // Once it was there it stays, to say how it is filled.
    if (this.#sites !== undefined) await setContext("shown", true);
    if (this.#loaded) this.#changed.fire(undefined);
    this.#tell();
  }

  #tell(): void {
    this.#view.message = this.#sites?.message(this.#tests) ?? "";
  }
}

/** What other extensions answer when asked for the references of this place; undefined where none does, or not in time. */
async function secondOpinion({ uri, position }: Anchor): Promise<Location[] | undefined> {
  const at = new vscode.Position(position.line, position.character);
  const asked = vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", vscode.Uri.parse(uri), at);
  const found = await within(OPINION_MS, Promise.resolve(asked), () => "").catch(() => []);
  return found.length === 0 ? undefined : found.map(toLocation);
}

function toLocation({ uri, range: { start, end } }: vscode.Location): Location {
  const range = { start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } };
  return { uri: uri.toString(), range };
}

function shownPath(uri: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(uri)).replaceAll("\\", "/");
}

async function setContext(name: "found" | "shown" | "tests", held: boolean): Promise<void> {
  await vscode.commands.executeCommand("setContext", `${VIEW}.${name}`, held);
}
