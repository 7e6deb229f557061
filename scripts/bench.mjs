// The measurements that need nothing but this checkout. Foreign code bases are measured by bench/real, on demand.
import { exitWith, inVenv, run } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

await exitWith(async () => {
  await setup({ dev: true });
  return (await run([inVenv("python"), "bench/startup/run.py", ...process.argv.slice(2)])).code;
});
