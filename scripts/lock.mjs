// Writes the lock files again from pyproject.toml and the package.json files.
import { exitWith, inVenv, npm, quietly } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

await exitWith(async () => {
  await setup({ dev: true });
  const compile = [inVenv("uv"), "pip", "compile", "--universal", "--generate-hashes", "--no-header", "--quiet", "pyproject.toml"];
  await quietly("lock/runtime.txt", [...compile, "--output-file", "lock/runtime.txt"]);
  await quietly("lock/dev.txt", [...compile, "--group", "dev", "--constraint", "lock/runtime.txt", "--output-file", "lock/dev.txt"]);
  await quietly("package-lock.json", npm("install", "--package-lock-only"));
  return 0;
});
