import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { closeOnLeave, completionKeys } from './completion.ts';
import { templateLanguage } from './template.ts';
import styles from './template-editor.module.css';

interface TemplateEditorProps {
  label: string;
  value: string;
  /** Names that may stand between braces, with a sample of their values. */
  variables: readonly { name: string; sample: string }[];
  isInvalid: boolean;
  onChange(text: string): void;
  onLeave(): void;
  /** Gets what inserts a text at the cursor. */
  onReady(insert: (text: string) => void): void;
}

/** An editor of JSON with variables: colours, and completion after two braces. */
export default function TemplateEditor(props: TemplateEditorProps) {
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
    latest.current.onReady((text) => {
      made.dispatch(made.state.replaceSelection(text));
      made.focus();
    });
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
  useEffect(() => {
    view.current?.dispatch({
      effects: [
        namesPart.reconfigure(languageOf(props.variables)),
        attributesPart.reconfigure(attributesOf(props)),
      ],
    });
  }, [props.variables, props.isInvalid, props.label]);
  return <div ref={host} className={styles.host} data-invalid={props.isInvalid || undefined} />;
}

const namesPart = new Compartment();
const attributesPart = new Compartment();

const languageOf = (variables: TemplateEditorProps['variables']): Extension =>
  templateLanguage(new Set(variables.map(({ name }) => name)));

const attributesOf = ({ label, isInvalid }: TemplateEditorProps): Extension =>
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-multiline': 'true',
    'aria-invalid': String(isInvalid),
    spellcheck: 'false',
    tabindex: '0',
  });

/** Colours by class, because the theme changes under the editor. */
const colours = HighlightStyle.define([
  { tag: tags.string, class: styles['string'] ?? '' },
  { tag: [tags.number, tags.bool, tags.null], class: styles['number'] ?? '' },
  { tag: tags.variableName, class: styles['variable'] ?? '' },
  { tag: tags.invalid, class: styles['unknown'] ?? '' },
]);

function createView(
  parent: HTMLDivElement,
  latest: { readonly current: TemplateEditorProps },
): EditorView {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
  const { value, variables } = latest.current;
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.lineWrapping,
        attributesPart.of(attributesOf(latest.current)),
        Prec.highest(
          keymap.of([
            { key: 'Enter', run: acceptCompletion },
            // It submits the form around.
            { key: 'Mod-Enter', run: () => true },
          ]),
        ),
        // Before the keys of the editor, whose arrows move within the text.
        keymap.of(completionKeys),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        namesPart.of(languageOf(variables)),
        syntaxHighlighting(colours),
        autocompletion({
          override: [(context) => variablesAt(context, latest.current.variables)],
          icons: false,
          defaultKeymap: false,
          selectOnOpen: true,
          interactionDelay: 0,
          tooltipClass: () => styles['completion'] ?? '',
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            latest.current.onChange(update.state.doc.toString());
          }
        }),
        closeOnLeave,
        EditorView.domEventHandlers({ blur: () => latest.current.onLeave() }),
      ],
    }),
  });
}

/** The variables, after two braces. */
function variablesAt(
  context: CompletionContext,
  variables: TemplateEditorProps['variables'],
): CompletionResult | null {
  const begun = context.matchBefore(/\{\{\s*[\w.]*/);
  if (!begun) {
    return null;
  }
  const typed = /[\w.]*$/.exec(begun.text)?.[0] ?? '';
  const after = context.state.sliceDoc(context.pos, context.pos + 2);
  return {
    from: context.pos - typed.length,
    options: variables.map(({ name, sample }) => ({
      label: name,
      detail: sample.slice(0, 32),
      apply: after === '}}' ? name : `${name}}}`,
    })),
    validFor: /^[\w.]*$/,
  };
}
