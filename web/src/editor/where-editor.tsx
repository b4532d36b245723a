import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder, type KeyBinding } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import {
  closeOnLeave,
  completionKeys,
  whereCompletion,
  type CompletionData,
} from './completion.ts';
import { errorMark, setErrorAt } from './error-mark.ts';
import { lucene } from './lucene.ts';
import { sql } from './sql.ts';
import styles from './where-editor.module.css';

interface WhereEditorProps extends CompletionData {
  label: string;
  value: string;
  language: 'lucene' | 'sql';
  placeholder: string;
  /** Zero-based place of an error in the text. */
  errorAt: number | undefined;
  onChange(text: string): void;
  onRun(): void;
}

/** A one-line editor for conditions, with colours, completion and the place of an error. */
export default function WhereEditor(props: WhereEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    if (!host.current) {
      return undefined;
    }
    const made = createView(host.current, latest);
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const { current } = view;
    if (current && current.state.doc.toString() !== props.value) {
      current.dispatch({
        changes: { from: 0, to: current.state.doc.length, insert: props.value },
      });
    }
  }, [props.value]);
  const hasFields = props.fields.length > 0;
  useEffect(() => {
    const { current } = view;
    // The person typed before the fields were there.
    if (hasFields && current?.hasFocus && current.state.doc.length > 0) {
      startCompletion(current);
    }
  }, [hasFields]);
  useEffect(() => {
    view.current?.dispatch({ effects: setErrorAt.of(props.errorAt) });
  }, [props.errorAt]);
  useEffect(() => {
    view.current?.dispatch({
      effects: [
        languagePart.reconfigure(languageOf(props.language)),
        placeholderPart.reconfigure(placeholder(props.placeholder)),
      ],
    });
  }, [props.language, props.placeholder]);
  return <div ref={host} className={styles.host} />;
}

const languagePart = new Compartment();
const placeholderPart = new Compartment();

const languageOf = (language: 'lucene' | 'sql'): Extension =>
  language === 'sql' ? sql() : lucene();

/** Colours by class, because the theme changes under the editor. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.name], class: styles['name'] ?? '' },
  { tag: [tags.string, tags.special(tags.string)], class: styles['string'] ?? '' },
  { tag: [tags.keyword, tags.operatorKeyword], class: styles['keyword'] ?? '' },
  { tag: [tags.number, tags.bool, tags.null], class: styles['number'] ?? '' },
  { tag: [tags.operator, tags.punctuation, tags.paren], class: styles['operator'] ?? '' },
]);

function createView(
  parent: HTMLDivElement,
  latest: { readonly current: WhereEditorProps },
): EditorView {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
  const { value, label, language, placeholder: hint } = latest.current;
  const focus = document.activeElement;
  const isPlainFocused = focus instanceof HTMLInputElement && parent.parentElement?.contains(focus);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-keyshortcuts': '/',
          spellcheck: 'false',
          tabindex: '0',
        }),
        EditorView.lineWrapping,
        Prec.highest(keymap.of(keysOf(latest))),
        // Before the keys of the editor, whose arrows move within the text.
        keymap.of(completionKeys),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        languagePart.of(languageOf(language)),
        placeholderPart.of(placeholder(hint)),
        syntaxHighlighting(colours),
        autocompletion({
          override: [whereCompletion(() => latest.current)],
          icons: false,
          // Enter runs the query unless the arrows chose an item.
          defaultKeymap: false,
          selectOnOpen: false,
          // The arrows alone choose an item, so a fast key cannot accept one by mistake.
          interactionDelay: 0,
          tooltipClass: () => styles['completion'] ?? '',
        }),
        closeOnLeave,
        errorMark(styles['error'] ?? ''),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            latest.current.onChange(update.state.doc.toString());
          }
        }),
        oneLine,
      ],
    }),
  });
  if (isPlainFocused) {
    view.focus();
  }
  return view;
}

/** Pasted line breaks become spaces. */
const oneLine = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || transaction.newDoc.lines === 1) {
    return transaction;
  }
  const text = transaction.newDoc.toString().replaceAll(/\s*\n\s*/g, ' ');
  return {
    changes: { from: 0, to: transaction.startState.doc.length, insert: text },
    selection: { anchor: text.length },
  };
});

function keysOf(latest: { readonly current: WhereEditorProps }): KeyBinding[] {
  return [
    {
      key: 'Enter',
      run: (view) => {
        if (!acceptCompletion(view)) {
          closeCompletion(view);
          latest.current.onRun();
        }
        return true;
      },
    },
    {
      key: 'Mod-Enter',
      run: (view) => {
        closeCompletion(view);
        latest.current.onRun();
        return true;
      },
    },
    {
      key: 'Tab',
      run: (view) => completionStatus(view.state) === 'active' && acceptCompletion(view),
    },
    {
      key: 'ArrowDown',
      run: (view) =>
        view.state.doc.length === 0 &&
        completionStatus(view.state) === null &&
        startCompletion(view),
    },
  ];
}
