import assert from "node:assert/strict";
import test from "node:test";
import { problemWithName } from "../../src/names";

function checkName(language: string, name: string, problem: RegExp | undefined): void {
  test(`${name === "" ? "nothing" : name} as a name in ${language}`, () => {
    const found = problemWithName(name, "old", language);
    if (problem === undefined) assert.equal(found, undefined);
    else assert.match(found ?? "", problem);
  });
}

checkName("python", "total_price", undefined);
checkName("python", "größe", undefined);
checkName("python", "𝑥", undefined);
checkName("python", "match", undefined);
checkName("python", "", /Type the new name/);
checkName("python", "old", /other than old/);
checkName("python", "2nd", /not a Python name/);
checkName("python", "total-price", /not a Python name/);
checkName("python", "$total", /not a Python name/);
checkName("python", "total price", /not a Python name/);
checkName("python", "lambda", /word of the language/);
checkName("typescript", "totalPrice", undefined);
checkName("typescript", "$total", undefined);
checkName("typescript", "#total", undefined);
checkName("typescript", "lambda", undefined);
checkName("typescript", "class", /word of the language/);
checkName("javascriptreact", "a.b", /not a JavaScript name/);
