import { LanguageSupport, StreamLanguage, type StringStream } from '@codemirror/language';

interface State {
  isQuoted: boolean;
}

/** Colours of JSON with `{{variable}}`. Names that are unknown stand out. */
export function templateLanguage(names: ReadonlySet<string>): LanguageSupport {
  return new LanguageSupport(
    StreamLanguage.define<State>({
      name: 'template',
      startState: () => ({ isQuoted: false }),
      token: (stream, state) => variable(stream, names) ?? json(stream, state),
    }),
  );
}

function variable(stream: StringStream, names: ReadonlySet<string>): string | undefined {
  const match = stream.match(/^\{\{\s*([\w.]*)\s*\}\}/) as RegExpMatchArray | null;
  if (match) {
    return names.has(match[1] ?? '') ? 'variableName' : 'invalid';
  }
  return undefined;
}

function json(stream: StringStream, state: State): string | null {
  if (state.isQuoted) {
    const isEnd = stream.eat('"') !== undefined;
    if (isEnd) {
      state.isQuoted = false;
    } else if (!stream.match(/^(?:[^"\\{]|\\.)+/)) {
      stream.next();
    }
    return 'string';
  }
  if (stream.eatSpace()) {
    return null;
  }
  if (stream.eat('"') !== undefined) {
    state.isQuoted = true;
    return 'string';
  }
  if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) {
    return 'number';
  }
  if (stream.match(/^(?:true|false|null)\b/)) {
    return 'number';
  }
  stream.next();
  return null;
}
