// The few pieces of Node that the tests use, so that the shop checks without any package installed.
declare module "node:assert/strict" {
  const assert: { equal(actual: unknown, expected: unknown): void };
  export default assert;
}

declare module "node:test" {
  export default function test(name: string, body: () => void): void;
}
