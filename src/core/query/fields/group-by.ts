/** The expressions of a groupBy, split at commas outside of brackets and quotes. */
export function splitGroupBy(text: string): string[] {
  return placedGroups(text).map((group) => group.text);
}

/** The same expressions with their positions in the text, from 0. */
export function placedGroups(text: string): { text: string; position: number }[] {
  return cuts(text).flatMap(([from, to]) => {
    const part = text.slice(from, to);
    return part.trim() === ''
      ? []
      : [{ text: part.trim(), position: from + part.length - part.trimStart().length }];
  });
}

function cuts(text: string): [from: number, to: number][] {
  const parts: [number, number][] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (quote !== '') {
      if (char === '\\') {
        index++;
      } else if (char === quote) {
        quote = '';
      }
    } else if (char === "'" || char === '"' || char === '`') {
      quote = char;
    } else if (char === '(' || char === '[') {
      depth++;
    } else if (char === ')' || char === ']') {
      depth--;
    } else if (char === ',' && depth === 0) {
      parts.push([start, index]);
      start = index + 1;
    }
  }
  return [...parts, [start, text.length]];
}
