import { LanguageSupport, StreamLanguage } from '@codemirror/language';

/** Colours of Lucene conditions: names before a colon, strings, words of logic, numbers. */
const language = StreamLanguage.define<null>({
  name: 'lucene',
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) {
      return null;
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) {
      return 'string';
    }
    if (stream.match(/^(?:AND|OR|NOT|TO)\b/)) {
      return 'keyword';
    }
    if (stream.match(/^[A-Za-z_][\w.\-/@]*(?=:)/)) {
      return 'propertyName';
    }
    if (stream.match(/^[()[\]{}:!<>=*-]/)) {
      return 'operator';
    }
    if (stream.match(/^\d+(?:\.\d+)?\b/)) {
      return 'number';
    }
    if (!stream.match(/^[^\s()[\]{}:"]+/)) {
      stream.next();
    }
    return null;
  },
});

export const lucene = (): LanguageSupport => new LanguageSupport(language);
