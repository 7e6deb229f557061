/** Names that a person may give to a symbol, judged before the server is asked. */

const PYTHON_WORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if import in is " +
    "lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

const SCRIPT_WORDS = new Set(
  (
    "await break case catch class const continue debugger default delete do else enum export extends false finally for function if " +
    "implements import in instanceof interface let new null package private protected public return static super switch this throw true " +
    "try typeof var void while with yield"
  ).split(" "),
);

const PYTHON_NAME = /^[\p{XID_Start}_][\p{XID_Continue}]*$/u;
const SCRIPT_NAME = /^#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Why `name` cannot replace `old` in a file of this language: a sentence for the input box, or undefined when it can. */
export function problemWithName(name: string, old: string, language: string): string | undefined {
  const python = language === "python";
  if (name === "") return "Type the new name.";
  if (name === old) return `Type a name other than ${old}.`;
  if (!(python ? PYTHON_NAME : SCRIPT_NAME).test(name)) {
    return `${name} is not a ${python ? "Python" : "JavaScript"} name: letters, digits and _ only, no digit first.`;
  }
  if ((python ? PYTHON_WORDS : SCRIPT_WORDS).has(name)) return `${name} is a word of the language itself.`;
  return undefined;
}
