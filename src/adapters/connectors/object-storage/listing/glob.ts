type Part =
  | { kind: 'text'; text: string }
  | { kind: 'one' }
  | { kind: 'some' }
  | { kind: 'any' }
  | { kind: 'either'; options: Part[][] };

export interface Glob {
  /** Every matching name begins with this. */
  prefix: string;
  matches(name: string): boolean;
}

/**
 * `?` is one character, `*` any within a folder, `**` any, `{a,b}` either. Matching takes time in
 * proportion to pattern and name.
 */
export function glob(pattern: string): Glob {
  const parts = partsOf(pattern);
  const [first] = parts;
  return {
    prefix: first?.kind === 'text' ? first.text : '',
    matches: (name) => advance(parts, name, new Set([0])).has(name.length),
  };
}

/** Whether a text contains pattern characters. */
export const hasPattern = (text: string): boolean => /[?*{}]/.test(text);

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  for (const [token] of pattern.matchAll(/\*\*|\*|\?|\{[^{}]*\}|[^*?{}]+|[{}]/g)) {
    if (token === '**') {
      parts.push({ kind: 'any' });
    } else if (token === '*') {
      parts.push({ kind: 'some' });
    } else if (token === '?') {
      parts.push({ kind: 'one' });
    } else if (token.length > 1 && token.startsWith('{')) {
      parts.push({ kind: 'either', options: token.slice(1, -1).split(',').map(partsOf) });
    } else {
      parts.push({ kind: 'text', text: token });
    }
  }
  return parts;
}

/** Places in the name after these parts, from any of the given places. */
function advance(parts: readonly Part[], name: string, from: ReadonlySet<number>): Set<number> {
  let places = new Set(from);
  for (const part of parts) {
    if (places.size === 0) {
      break;
    }
    places = step(part, name, places);
  }
  return places;
}

function step(part: Part, name: string, places: ReadonlySet<number>): Set<number> {
  const next = new Set<number>();
  switch (part.kind) {
    case 'text':
      for (const place of places) {
        if (name.startsWith(part.text, place)) {
          next.add(place + part.text.length);
        }
      }
      return next;
    case 'one':
      for (const place of places) {
        const point = name.codePointAt(place);
        if (point !== undefined && name[place] !== '/') {
          next.add(place + (point > 0xffff ? 2 : 1));
        }
      }
      return next;
    case 'some':
      for (const place of places) {
        for (let end = place; !next.has(end); end++) {
          next.add(end);
          if (end >= name.length || name[end] === '/') {
            break;
          }
        }
      }
      return next;
    case 'any':
      for (let end = Math.min(...places); end <= name.length; end++) {
        next.add(end);
      }
      return next;
    case 'either':
      for (const option of part.options) {
        for (const place of advance(option, name, places)) {
          next.add(place);
        }
      }
      return next;
  }
}
