/**
 * Whether a statement calls the function `file`, which reads any file of the machine: the embedded
 * engine asks for no grant there. In doubt the answer is yes.
 */
export function callsFile(text: string): boolean {
  if (!call.test(text.replace(comment, ' '))) {
    return false;
  }
  // The engine takes typographic quotes for quotes too.
  return /[‘’“”]/.test(text) || call.test(text.replace(token, withoutText));
}

const call = /\bfile\b[`"]?\s*\(/i;
const comment = /\/\*[\s\S]*?\*\/|--[^\n]*|#[ !][^\n]*/g;
/** Literals, heredocs, quoted names and comments, in the order in which the engine reads them. */
const token = new RegExp(
  String.raw`'(?:[^'\\]|\\[\s\S])*'|\$(\w*)\$[\s\S]*?\$\1\$|` +
    String.raw`\x60(?:[^\x60\\]|\\[\s\S])*\x60|"(?:[^"\\]|\\[\s\S])*"|${comment.source}`,
  'g',
);

const withoutText = (found: string): string =>
  found.startsWith('`') || found.startsWith('"') ? found : ' ';
