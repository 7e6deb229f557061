/** Edits that the server asks for. */
import * as vscode from "vscode";
import type {
  ApplyWorkspaceEditParams,
  ApplyWorkspaceEditRequest,
  ApplyWorkspaceEditResult,
  ResponseError,
} from "vscode-languageclient/node";

/** Applies an edit of the server's; a preview opens with nothing ticked and does not say so, so the status bar does. */
export async function applyEdit(
  params: ApplyWorkspaceEditParams,
  next: ApplyWorkspaceEditRequest.HandlerSignature,
): Promise<ApplyWorkspaceEditResult | ResponseError> {
  const never = new vscode.CancellationTokenSource();
  const previewed = Object.values(params.edit.changeAnnotations ?? {}).some(({ needsConfirmation }) => needsConfirmation === true);
  const hint = previewed
    ? vscode.window.setStatusBarMessage("$(info) Tick what to change in the Refactor Preview, then choose Apply")
    : undefined;
  try {
    return await next(params, never.token);
  } finally {
    hint?.dispose();
    never.dispose();
  }
}
