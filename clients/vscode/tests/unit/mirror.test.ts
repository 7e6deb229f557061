import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const SERVER = readFileSync("../../server/surefoot/lsp/extensions.py", "utf8");
const CLIENT = readFileSync("src/lspExt.ts", "utf8");

const TYPES: Readonly<Record<string, string>> = {
  str: "string",
  int: "number",
  bool: "boolean",
};
// Some texts on the wire are words of a few; the client knows which.
const TEXTS = new Set(["StepStatus", "RunStatus", "Tier", "Opinion"]);

test("commands and notifications have the server's names", () => {
  const served = [...SERVER.matchAll(/^[A-Z_]+ = "(.+)"$/gm)].map((found) => found[1]);
  const mirrored = [...CLIENT.matchAll(/"(surefoot[./][A-Za-z./]+)"/g)].map((found) => found[1]);
  assert.ok(served.length > 8, "the server's names were found");
  assert.deepEqual([...mirrored].sort(), [...served].sort());
});

test("payloads have the server's fields and types", () => {
  const served = payloadsOfServer();
  const mirrored = payloadsOfClient();
  assert.ok(served.size > 5, "the server's payloads were found");
  mirrored.delete("InitializationOptions"); // Read by the server field by field, and not one of its values.
  assert.deepEqual([...mirrored.keys()].sort(), [...served.keys()].sort());
  for (const [name, fields] of served) assert.deepEqual(mirrored.get(name), fields, name);
});

test("what the window tells at the start is read by the server", () => {
  const readers =
    readFileSync("../../server/surefoot/lsp/settings.py", "utf8") + readFileSync("../../server/surefoot/lsp/capabilities.py", "utf8");
  const fields = /interface InitializationOptions \{(.*?)\}/s.exec(CLIENT)?.[1] ?? "";
  const names = [...fields.matchAll(/^ {2}(\w+):/gm)].map((found) => found[1] ?? "");
  assert.deepEqual(names, ["diagnostics", "rename", "clientCommands"]);
  for (const name of names) assert.ok(readers.includes(`"${name}"`), `the server reads ${name}`);
});

function payloadsOfServer(): Map<string, Record<string, string>> {
  const classes = SERVER.matchAll(/^@value\nclass (\w+):\n((?: {4}.*\n|\n(?= {4}))+)/gm);
  return new Map([...classes].map(([, name = "", body = ""]) => [name, fieldsOfServer(body)]));
}

function fieldsOfServer(body: string): Record<string, string> {
  const lines = [...body.matchAll(/^ {4}(\w+): (.+?)( \| None)?(?: = .+)?$/gm)];
  return Object.fromEntries(
    lines.map(([, name = "", type = "", optional]) => [camel(name) + (optional === undefined ? "" : "?"), typeOf(type)]),
  );
}

/** A type of the server in the client's words. */
function typeOf(type: string): string {
  const item = /^tuple\[(.+), \.\.\.\]$/.exec(type)?.[1];
  return item === undefined ? (TYPES[type] ?? type.replace(/^t\./, "")) : `${typeOf(item)}[]`;
}

function payloadsOfClient(): Map<string, Record<string, string>> {
  const interfaces = CLIENT.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms);
  return new Map([...interfaces].map(([, name = "", body = ""]) => [name, fieldsOfClient(body)]));
}

function fieldsOfClient(body: string): Record<string, string> {
  const lines = [...body.matchAll(/^ {2}(\w+\??): (.+);$/gm)];
  return Object.fromEntries(
    lines.map(([, name = "", type = ""]) => [name, type.replace(/^\w+/, (word) => (TEXTS.has(word) ? "string" : word))]),
  );
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
