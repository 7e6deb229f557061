// A scripted Messages API: it answers with the texts it was given, in order, and keeps what it received.
import http from "node:http";

/** Starts one on this machine, for a window to reach as a proxy or by its address. */
export async function startMessages(...texts) {
  const received = [];
  const server = http.createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(pieces).toString("utf8"));
      // Without a system text it is the question that finds out what an address can do.
      const text = body.system === undefined ? '{"ready": true}' : texts.shift();
      if (body.system !== undefined) received.push({ body, headers: request.headers });
      response.setHeader("content-type", "application/json");
      if (text === undefined) response.statusCode = 400;
      response.end(JSON.stringify(text === undefined ? refused() : message(body, text)));
    });
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, received, script: (...more) => texts.push(...more), left: () => texts.length, close: () => server.close() };
}

function message({ model }, text) {
  const usage = { input_tokens: 1200, output_tokens: 90, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const content = [{ type: "text", text }];
  return { id: "msg_1", type: "message", role: "assistant", model, content, stop_reason: "end_turn", stop_sequence: null, usage };
}

function refused() {
  return { type: "error", error: { type: "invalid_request_error", message: "nothing is left in the script" } };
}

/** A plan of one step. */
export function plan(title, file, { sites = [], touches = [] } = {}) {
  const step = { title, intent: `${title}.`, files: [file], sites, lines: 4, behaviour_preserving: false };
  return JSON.stringify({ touches, steps: [step], fits: [], cannot: "" });
}

/** An edit of one place. */
export function edit(path, within, old, made) {
  return JSON.stringify({ edits: [{ path, within, old, new: made }], cannot: "" });
}
