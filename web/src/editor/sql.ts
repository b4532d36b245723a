import { LanguageSupport, StreamLanguage } from '@codemirror/language';

const words = new Set(
  'and or not in is null like ilike between case when then else end true false'.split(' '),
);

/** Colours of SQL conditions. Small, because the API's conditions are expressions only. */
const language = StreamLanguage.define<null>({
  name: 'sql',
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) {
      return null;
    }
    if (stream.match(/^'(?:[^'\\]|''|\\.)*'?/)) {
      return 'string';
    }
    if (stream.match(/^\d+(?:\.\d+)?\b/)) {
      return 'number';
    }
    if (stream.match(/^`[^`]*`?/)) {
      return 'propertyName';
    }
    if (stream.match(/^[A-Za-z_][\w.]*/)) {
      return words.has(stream.current().toLowerCase()) ? 'keyword' : 'propertyName';
    }
    stream.next();
    return 'operator';
  },
});

export const sql = (): LanguageSupport => new LanguageSupport(language);
