/** Wires the extension together. */
import * as vscode from "vscode";
import { Surefoot } from "./client";
import { pressButton, registerCommands, sayOtherwise } from "./commands";
import { needsRestart } from "./config";
import { SCHEME } from "./report";

export function activate(context: vscode.ExtensionContext): void {
  const app: Surefoot = new Surefoot(
    context,
    (action, run) => {
      pressButton(app, action, run);
    },
    (task) => {
      sayOtherwise(app, task);
    },
  );
  context.subscriptions.push(
    app,
    registerCommands(app),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, app.reports),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (needsRestart(change)) void app.restart();
    }),
  );
  // Not awaited: making the environment may take a minute, and commands wait for it by themselves.
  void app.restart();
}
