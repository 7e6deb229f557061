/** What the tree of sites shows: groups by tier, then by file, and what another language server thinks of them. Pure: no editor, no server. */
import type { Position, Range } from "vscode-languageclient/node";
import type { SiteShown, SitesResult, Tier } from "./lspExt";

const TIERS: readonly { tier: Tier; title: string; meaning: string }[] = [
  { tier: "exact", title: "Exact", meaning: "resolve to the symbol" },
  { tier: "family", title: "Family", meaning: "overrides, interface siblings, and calls through them" },
  { tier: "string", title: "String", meaning: "strings that resolve to the symbol" },
  { tier: "likely", title: "Likely", meaning: "could not be resolved" },
  { tier: "mention", title: "Mention", meaning: "comments, strings and documents" },
  { tier: "excluded", title: "Excluded", meaning: "resolve to something else" },
];

/** A line of the tree. `differs` says whose answer a site is in when only one server lists it. */
export interface SiteNode {
  readonly id: string;
  readonly kind: "tier" | "file" | "site" | "unread";
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly open: boolean;
  readonly children: readonly SiteNode[];
  readonly uri?: string;
  readonly site?: Place;
  readonly differs?: "ours" | "theirs";
  readonly test?: boolean;
}

/** Where a site is now: it moves with the text around it. */
export interface Place {
  uri: string;
  range: Range;
}

/** What is known of a second opinion: still waited for, nobody had one, the editor's is in the answer, or that of servers which Surefoot asked. */
export type Second = "waiting" | "none" | "united" | "asked";

export interface Edit {
  range: Range;
  text: string;
}

/** The answer for one symbol, as it is shown. `anchor` is the place that was asked about. */
export class Sites {
  readonly name: string;
  readonly anchor: { uri: string; position: Position };
  second: Second;
  readonly #result: SitesResult;
  readonly #places: readonly Place[];
  readonly #files: ReadonlySet<string>;
  #outdated = false;

  constructor(result: SitesResult, anchor: { uri: string; position: Position }, second: Second) {
    this.name = result.name;
    this.anchor = { ...anchor };
    this.second = second;
    this.#result = result;
    this.#places = result.sites.map(({ uri, range }) => ({ uri, range }));
    this.#files = new Set([anchor.uri, ...result.sites.map(({ uri }) => uri), ...result.notScanned.map(({ uri }) => uri)]);
  }

  /** Whether text has moved since. */
  get outdated(): boolean {
    return this.#outdated;
  }

  /** Takes in an edit of a file: places in it move along. `holds` says whether the text now has a word in it. Answers whether anything is new to see. */
  edited(uri: string, edits: readonly Edit[], holds: (word: string) => boolean): boolean {
    if (edits.length === 0 || !(this.#files.has(uri) || holds(this.name))) return false;
    for (const edit of edits) {
      for (const place of this.#places) if (place.uri === uri) place.range = rangeAfter(place.range, edit);
      if (this.anchor.uri === uri) this.anchor.position = positionAfter(this.anchor.position, edit);
    }
    const first = !this.#outdated;
    this.#outdated = true;
    return first;
  }

  /** The tree: without `tests` no test code. `shown` gives a file's path as people read it. */
  tree(tests: boolean, shown: (uri: string) => string): readonly SiteNode[] {
    const all = this.#listed(tests);
    const groups = TIERS.map(({ tier, title, meaning }) => {
      const listed = all.filter(([site]) => site.tier === tier);
      const tooltip = `${count(listed.length, "site")}: ${meaning}`;
      const children = fileNodes(tier, listed, shown);
      return node({
        id: tier,
        kind: "tier",
        label: `${title} (${listed.length})`,
        description: meaning,
        tooltip,
        open: tier !== "excluded",
        children,
      });
    });
    return [...groups, this.#unread(shown)].filter(({ children }) => children.length > 0);
  }

  /** What stands above the tree, in sentences: how much there is, whether it still holds, and what another server thinks. */
  message(tests: boolean): string {
    const listed = this.#listed(tests);
    const left = this.#result.sites.length - listed.length;
    const meant = listed.filter(([{ tier }]) => tier !== "excluded");
    const files = new Set(meant.map(([{ uri }]) => uri)).size;
    return [
      `${this.name}: ${count(meant.length, "site")} in ${count(files, "file")}.`,
      this.#outdated ? "Text has changed since. Refresh to look again." : "",
      left > 0 ? `${count(left, "site")} in tests left out.` : "",
      this.#outdated ? "" : this.#opinion(),
    ]
      .filter((line) => line !== "")
      .join(" ");
  }

  #opinion(): string {
    if (this.second === "waiting") return "";
    if (this.second === "none") return "No other language server answered for this name. Ask Language Servers starts one.";
    if (this.second === "asked") return this.#asked();
    const [both = 0, ours = 0, theirs = 0] = (["both", "ours", "theirs"] as const).map(
      (who) => this.#result.sites.filter((site) => site.opinion === who).length,
    );
    if (ours === 0 && theirs === 0) return `The editor’s language server agrees: ${count(both, "site")}.`;
    // Such a server answers with what it has read so far.
    const again = ours > 0 ? " Refresh asks it again." : "";
    const parts = [`${both} the same`, ours > 0 ? `${ours} not in its answer` : "", theirs > 0 ? `${theirs} only there` : ""];
    return `The editor’s language server: ${parts.filter((part) => part !== "").join(", ")}.${again}`;
  }

  #asked(): string {
    const said = (this.#result.servers ?? []).map((server) => `${server.said}.`);
    return said.length === 0 ? "There is no definition here to ask a language server about." : said.join(" ");
  }

  #listed(tests: boolean): readonly (readonly [SiteShown, Place])[] {
    return this.#result.sites.flatMap((site, at) => {
      const place = this.#places[at];
      return place === undefined || (site.test && !tests) ? [] : [[site, place] as const];
    });
  }

  #unread(shown: (uri: string) => string): SiteNode {
    const children = this.#result.notScanned.map(({ uri, reason }) => {
      const { name, folder } = split(shown(uri));
      const description = [folder, reason].filter((part) => part !== "").join(" · ");
      return node({ id: `unread ${uri}`, kind: "unread", label: name, description, tooltip: `${shown(uri)}: ${reason}`, uri });
    });
    const tooltip = "What is in these files could not be looked at as a whole.";
    return node({ id: "unread", kind: "tier", label: `Not scanned (${children.length})`, tooltip, children });
  }
}

/** Where a position is after an edit; one in replaced text is at its start. */
export function positionAfter(at: Position, { range: { start, end }, text }: Edit): Position {
  if (isBefore(at, start)) return at;
  if (isBefore(at, end)) return start;
  const lines = text.split(/\r\n|\r|\n/);
  const last = lines.at(-1) ?? "";
  const line = at.line - end.line + start.line + lines.length - 1;
  if (at.line !== end.line) return { line, character: at.character };
  return { line, character: at.character - end.character + last.length + (lines.length === 1 ? start.character : 0) };
}

function rangeAfter(range: Range, edit: Edit): Range {
  return { start: positionAfter(range.start, edit), end: positionAfter(range.end, edit) };
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

function fileNodes(tier: Tier, listed: readonly (readonly [SiteShown, Place])[], shown: (uri: string) => string): SiteNode[] {
  const files = new Map<string, (readonly [SiteShown, Place])[]>();
  for (const pair of listed) {
    const inside = files.get(pair[0].uri);
    if (inside === undefined) files.set(pair[0].uri, [pair]);
    else inside.push(pair);
  }
  return [...files].map(([uri, inside]) => {
    const { name, folder } = split(shown(uri));
    const id = `${tier} ${uri}`;
    const children = inside.map(([site, place]) => siteNode(id, site, place, shown(uri)));
    return node({
      id,
      kind: "file",
      label: `${name} (${inside.length})`,
      description: folder,
      tooltip: shown(uri),
      open: true,
      uri,
      children,
    });
  });
}

function siteNode(file: string, site: SiteShown, place: Place, path: string): SiteNode {
  const { start } = site.range;
  const where = site.function === "" ? "" : ` in ${site.function}`;
  const what = `${path}:${start.line + 1}:${start.character + 1}\n${site.kind}${where}${site.test ? ", in a test" : ""}`;
  return node({
    id: `${file} ${start.line}:${start.character}`,
    kind: "site",
    label: site.text === "" ? `line ${start.line + 1}` : site.text,
    description: [String(start.line + 1), site.reason].filter((part) => part !== "").join(" · "),
    tooltip: `${what}\n${site.tier}: ${site.reason}`,
    site: place,
    test: site.test,
    ...(site.opinion === "ours" || site.opinion === "theirs" ? { differs: site.opinion } : {}),
  });
}

type Given = Pick<SiteNode, "id" | "kind" | "label" | "tooltip"> & Partial<SiteNode>;

function node(given: Given): SiteNode {
  return { description: "", open: false, children: [], ...given };
}

function split(path: string): { name: string; folder: string } {
  const at = path.lastIndexOf("/");
  return { name: path.slice(at + 1), folder: path.slice(0, Math.max(at, 0)) };
}

function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}
