import { severityWords } from '../../alerting/words.ts';
import { ControlField, Field, TextArea } from '../../kit/field.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import type { EditorModel } from './model/use-editor.ts';
import { choicesOf } from './choices-of.ts';
import styles from './alert-editor.module.css';

/** Name, severity, message and tags. */
export function AboutFields({ model }: { model: EditorModel }) {
  const { draft, change, form, watched } = model;
  return (
    <section className={styles.section} aria-label="Name and message">
      <h2>Name and message</h2>
      <div className={styles.row}>
        <Field
          label="Name"
          name="name"
          className={styles.grows}
          autoComplete="off"
          maxLength={512}
          placeholder={watched.name}
          value={draft.name}
          error={form.issueAt('name')}
          onChange={({ target }) => change({ name: target.value })}
        />
        <ControlField label="Severity" error={form.issueAt('severity')}>
          <Listbox
            label="Severity"
            value={draft.severity}
            choices={choicesOf(severityWords)}
            onChange={(severity) => change({ severity })}
          />
        </ControlField>
      </div>
      <TextArea
        label="Message (optional)"
        name="message"
        rows={3}
        maxLength={4096}
        hint="Every notification contains it. Say what to look at first, or link a runbook."
        value={draft.message}
        error={form.issueAt('message')}
        onChange={({ target }) => change({ message: target.value })}
      />
      <Field
        label="Tags (optional)"
        name="tags"
        autoComplete="off"
        hint="Separate tags with commas. Lists can show one tag, and maintenance windows can cover it."
        value={draft.tags}
        error={form.issueAt('tags')}
        onChange={({ target }) => change({ tags: target.value })}
      />
    </section>
  );
}
