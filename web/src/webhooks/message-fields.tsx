import { Braces } from 'lucide-react';
import { lazy, useRef, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Choices } from '../kit/choices.tsx';
import { CommandList } from '../kit/command-list.tsx';
import { TextArea } from '../kit/field.tsx';
import { Late } from '../kit/late.tsx';
import { Notice } from '../kit/notice.tsx';
import { Popover } from '../kit/popover.tsx';
import { firstTemplate, keepsIncidents, services } from './services.ts';
import type { WebhookFormModel } from './use-webhook-form.ts';
import styles from './webhooks.module.css';

const TemplateEditor = lazy(() => import('../editor/template-editor.tsx'));

/** What is sent: the format of the service, or a template with what becomes of it beside it. */
export function MessageFields({ model }: { model: WebhookFormModel }) {
  const { draft, change } = model;
  const { label } = services[draft.service];
  const own = useRef<string>(undefined);
  const setKind = (kind: 'default' | 'own'): void => {
    if (kind === 'default') {
      own.current = draft.body ?? undefined;
      change({ body: null });
    } else {
      change({ body: own.current ?? firstTemplate(draft.service) });
    }
  };
  return (
    <section className={styles.section} aria-label="Message">
      <h2>Message</h2>
      <Choices
        label="Body"
        hint={
          draft.body === null
            ? `The format that ${draft.service === 'generic' ? 'generic receivers' : label} get.`
            : 'JSON with variables of the event in double braces.'
        }
        value={draft.body === null ? 'default' : 'own'}
        choices={[
          { value: 'default', label: 'Default' },
          { value: 'own', label: 'Own template' },
        ]}
        onChange={setKind}
      />
      {draft.body !== null && keepsIncidents(draft.service) && (
        <Notice look="warning">
          {label} needs another value when an alert ends. A template cannot choose one, so incidents
          stay open. The default message resolves them.
        </Notice>
      )}
      <div className={styles.columns}>
        {draft.body !== null && <Template model={model} body={draft.body} />}
        <Rendered model={model} />
      </div>
    </section>
  );
}

function Template({ model, body }: { model: WebhookFormModel; body: string }) {
  const { rules, change, form } = model;
  const insert = useRef<(text: string) => void>(undefined);
  const error = form.issueAt('body');
  const variables = rules?.variables ?? noVariables;
  const leave = (): void => form.leave('body');
  const caret = useRef(body.length);
  const insertPlain = (text: string): void =>
    change({ body: body.slice(0, caret.current) + text + body.slice(caret.current) });
  const plain = (
    <TextArea
      label="Template"
      name="body"
      rows={11}
      value={body}
      error={undefined}
      onChange={({ target }) => change({ body: target.value })}
      onSelect={({ currentTarget }) => {
        caret.current = currentTarget.selectionEnd;
      }}
      onBlur={leave}
    />
  );
  return (
    <div className={styles.template}>
      <div className={styles.templateHead}>
        <h3 id="template-title">Template</h3>
        <VariableMenu
          variables={variables}
          onChoose={(name) => (insert.current ?? insertPlain)(`{{${name}}}`)}
        />
      </div>
      <Late plain={plain}>
        <TemplateEditor
          label="Template"
          value={body}
          variables={variables}
          isInvalid={error !== undefined}
          onChange={(text) => change({ body: text })}
          onLeave={leave}
          onReady={(next) => {
            insert.current = next;
          }}
        />
      </Late>
    </div>
  );
}

const noVariables: readonly { name: string; sample: string }[] = [];

interface VariableMenuProps {
  variables: readonly { name: string; sample: string }[];
  onChoose(name: string): void;
}

/** All variables with a sample of their values, to find and insert. */
function VariableMenu({ variables, onChoose }: VariableMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const chosen = useRef<string>(undefined);
  const insertChosen = (): boolean => {
    const name = chosen.current;
    chosen.current = undefined;
    if (name === undefined) {
      return false;
    }
    onChoose(name);
    return true;
  };
  return (
    <Popover
      label="Variables"
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      takeFocus={insertChosen}
      trigger={
        <Button size="small" icon={<Braces size={14} aria-hidden />}>
          Insert variable
        </Button>
      }
    >
      <CommandList
        label="Variables"
        placeholder="Find a variable"
        className={styles.variables}
        commands={variables.map(({ name, sample }) => ({
          id: name,
          label: name,
          hint: sample === '' ? '(empty)' : sample.slice(0, 28),
          run: () => {
            chosen.current = name;
            setOpen(false);
          },
        }))}
      />
    </Popover>
  );
}

/** The message of a sample event as the receiver gets it. */
function Rendered({ model: { draft, rules } }: { model: WebhookFormModel }) {
  const message = rules?.sampleMessage(draft);
  return (
    <div className={styles.rendered}>
      <div className={styles.templateHead}>
        <h3>With a sample event</h3>
      </div>
      {message && 'problem' in message ? (
        <p className={styles.problem} role="alert">
          The template {message.problem}.
        </p>
      ) : (
        <pre className={styles.code} role="region" aria-label="Sample message" tabIndex={0}>
          {message?.text ?? ''}
        </pre>
      )}
    </div>
  );
}
