import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';

/** Sets the zero-based place of an error, or takes the mark away. */
export const setErrorAt = StateEffect.define<number | undefined>();

/** Underlines the word at the place of an error. A change of the text takes the mark away. */
export function errorMark(className: string): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(marks, transaction) {
      for (const effect of transaction.effects) {
        if (effect.is(setErrorAt)) {
          return marksAt(effect.value, transaction.newDoc.toString(), className);
        }
      }
      return transaction.docChanged ? Decoration.none : marks;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

function marksAt(at: number | undefined, text: string, className: string): DecorationSet {
  if (at === undefined || text === '') {
    return Decoration.none;
  }
  const from = Math.min(at, text.length - 1);
  const word = /^[\w.]+/.exec(text.slice(from))?.[0] ?? text.charAt(from);
  return Decoration.set(Decoration.mark({ class: className }).range(from, from + word.length));
}
