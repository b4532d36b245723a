import {
  closeCompletion,
  moveCompletionSelection,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { EditorView, type KeyBinding } from '@codemirror/view';

interface CompletedField {
  name: string;
  type: string;
  values: readonly string[];
}

export interface CompletionData {
  fields: readonly CompletedField[];
  /** Latest queries first. */
  history: readonly string[];
  language: 'lucene' | 'sql';
}

export const completionKeys: KeyBinding[] = [
  { key: 'Ctrl-Space', run: startCompletion },
  { key: 'ArrowDown', run: moveCompletionSelection(true) },
  { key: 'ArrowUp', run: moveCompletionSelection(false) },
  { key: 'PageDown', run: moveCompletionSelection(true, 'page') },
  { key: 'PageUp', run: moveCompletionSelection(false, 'page') },
  {
    key: 'Escape',
    run: (view) => {
      if (!closeCompletion(view)) {
        view.contentDOM.blur();
      }
      return true;
    },
  },
];

/** Completions that are still being looked for when the focus leaves do not show any more. */
export const closeOnLeave = EditorView.domEventHandlers({
  blur: (_event, view) => void closeCompletion(view),
});

/** Fields where a name may stand, values after `field:`, and earlier queries for an empty text. */
export function whereCompletion(data: () => CompletionData) {
  return (context: CompletionContext): CompletionResult | null => {
    const { fields, history, language } = data();
    const before = context.state.sliceDoc(0, context.pos);
    if (before === '') {
      return context.explicit && history.length > 0
        ? { from: 0, options: history.map(historyItem), filter: false }
        : null;
    }
    const value = valueBefore(before, language);
    if (value) {
      const field = fields.find(({ name }) => name === value.field);
      const options = (field?.values ?? []).map((text) => valueItem(text, language));
      const from = context.pos - value.typed.length;
      return options.length > 0 ? { from, options, validFor: /^["']?[^\s"':()]*$/ } : null;
    }
    const word = /[A-Za-z_][\w.\-/:@]*$/.exec(before)?.[0];
    if (word === undefined && !context.explicit) {
      return null;
    }
    return {
      from: context.pos - (word?.length ?? 0),
      options: fields.map((field) => fieldItem(field, language)),
      validFor: /^[\w.\-/@]*$/,
    };
  };
}

/** The field and the beginning of a value that the text ends in. */
function valueBefore(
  before: string,
  language: 'lucene' | 'sql',
): { field: string; typed: string } | undefined {
  const pattern =
    language === 'lucene'
      ? /(?:^|[\s(!-])([A-Za-z_][\w.\-/@]*):("?[^\s":()]*)$/
      : /([A-Za-z_][\w.\-/@]*)\s*(?:=|!=|<>)\s*('?[^\s']*)$/;
  const match = pattern.exec(before);
  return match ? { field: match[1] ?? '', typed: match[2] ?? '' } : undefined;
}

function fieldItem({ name, type, values }: CompletedField, language: string): Completion {
  const isPlain = /^[\w.]+$/.test(name);
  const text = isPlain || language === 'lucene' ? name : `\`${name}\``;
  return {
    label: name,
    detail: type.replace(/LowCardinality\((.*)\)/, '$1'),
    boost: values.length > 0 ? 1 : 0,
    apply: (view: EditorView, _: Completion, from: number, to: number) => {
      const insert = language === 'lucene' ? `${text}:` : `${text} = `;
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
      });
      startCompletion(view);
    },
  };
}

function valueItem(text: string, language: string): Completion {
  const quoted =
    language === 'lucene'
      ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
      : `'${text.replaceAll("'", "''")}'`;
  return { label: text, apply: `${quoted} ` };
}

const historyItem = (text: string): Completion => ({ label: text, detail: 'earlier' });
