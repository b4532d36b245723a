type Part =
  | { kind: 'text'; text: string }
  | { kind: 'one' }
  | { kind: 'some' }
  | { kind: 'any' }
  | { kind: 'either'; options: Part[][] };

export interface Glob {
  /** Every name that matches begins so. */
  prefix: string;
  matches(name: string): boolean;
}

/** `?` one character, `*` any within a folder, `**` any, `{a,b}` either. Takes time in proportion to pattern and name, whatever they are. */
export function glob(pattern: string): Glob {
  const parts = partsOf(pattern);
  const [first] = parts;
  return {
    prefix: first?.kind === 'text' ? first.text : '',
    matches: (name) => advance(parts, name, new Set([0])).has(name.length),
  };
}

/** Whether a text has anything in it that a pattern reads as more than itself. */
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

/** Where in the name one can stand after the parts, coming from any of those places. */
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
      for (const at of places) {
        if (name.startsWith(part.text, at)) {
          next.add(at + part.text.length);
        }
      }
      return next;
    case 'one':
      for (const at of places) {
        const point = name.codePointAt(at);
        if (point !== undefined && name[at] !== '/') {
          next.add(at + (point > 0xffff ? 2 : 1));
        }
      }
      return next;
    case 'some':
      for (const at of places) {
        for (let end = at; !next.has(end); end++) {
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
        for (const at of advance(option, name, places)) {
          next.add(at);
        }
      }
      return next;
  }
}
