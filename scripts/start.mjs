// The main job on a bundled example: sets up what is missing, then renames two functions of examples/shop through the real server.
import { rmSync } from "node:fs";
import path from "node:path";
import { exitWith, inVenv, ROOT, run, seconds } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

await exitWith(async () => {
  console.error("Setting up what is missing:");
  const began = Date.now();
  await setup({ dev: false });
  console.error(`Ready (${seconds(Date.now() - began)}).\n`);
  const folder = path.join(ROOT, "artifacts", "start");
  rmSync(folder, { recursive: true, force: true });
  const { code } = await run([inVenv("python"), path.join("examples", "drive_shop.py"), "--keep", folder]);
  if (code === 0) console.log("\nNext: `npm run package` makes the VS Code extension; README.md says how other editors are set up.");
  return code;
});
