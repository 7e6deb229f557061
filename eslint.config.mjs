import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  {
    ignores: [
      "**/node_modules/",
      "**/dist/",
      "**/bundled/",
      "**/.vscode-test/",
      ".venv/",
      ".cache/",
      "artifacts/",
      "bench/real/",
      "examples/",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: Object.fromEntries(
        ["process", "console", "URL", "Buffer", "setTimeout", "clearTimeout", "fetch", "AbortSignal", "AbortController"].map((name) => [
          name,
          "readonly",
        ]),
      ),
    },
  },
  {
    files: ["clients/vscode/**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      // The runner awaits what test() answers.
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", name: "test", package: "node:test" }] },
      ],
    },
  },
  {
    rules: {
      eqeqeq: "error",
      "no-console": "off",
      complexity: ["error", 12],
      "max-lines-per-function": ["error", { max: 80, skipComments: true, skipBlankLines: true }],
    },
  },
  // A node:test suite is one callback as long as its tests.
  { files: ["**/*.test.{ts,mjs}", "**/tests/**"], rules: { "max-lines-per-function": "off" } },
);
