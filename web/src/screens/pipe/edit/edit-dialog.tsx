import { useState } from 'react';
import type { VersionedPipe } from '../../../api/queries/pipes.ts';
import { Button } from '../../../kit/button.tsx';
import { Choices, Toggle } from '../../../kit/choices.tsx';
import { Conflict } from '../../../kit/conflict.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Field, TextArea } from '../../../kit/field.tsx';
import { useLeaveQuestion } from '../../../kit/leave-dialog.tsx';
import { ErrorText } from '../../../kit/state.tsx';
import { nameOf } from '../../../pipes/states.ts';
import type { EditField, EditForm } from './edit-form.ts';
import { useEdit, type Edit } from './use-edit.ts';
import styles from '../pipe.module.css';

interface EditDialogProps {
  form: EditForm;
  stored: VersionedPipe;
  onClose(): void;
}

/** Changes some fields of a pipe. If there is something to lose, it asks before it closes. */
export function EditDialog({ form, stored, onClose }: EditDialogProps) {
  // The page reads newer versions meanwhile.
  const [opened] = useState(stored);
  const [edit] = useState(form);
  const model = useEdit(edit, opened, onClose);
  const { theirs } = model;
  const { close, question } = useLeaveQuestion(model.isChanged, onClose);
  return (
    <>
      {theirs ? (
        <Conflict
          name={nameOf(theirs.item)}
          differences={model.differences}
          isSaving={model.isSaving}
          error={model.error?.message}
          onMine={() => void model.save(theirs)}
          onTheirs={onClose}
          onClose={model.keepEditing}
        />
      ) : (
        <FormDialog
          edit={edit}
          model={model}
          onSave={() => void model.save(opened)}
          onClose={close}
        />
      )}
      {question}
    </>
  );
}

interface FormDialogProps {
  edit: EditForm;
  model: Edit;
  onSave(): void;
  onClose(): void;
}

function FormDialog({ edit, model, onSave, onClose }: FormDialogProps) {
  const { draft, form } = model;
  return (
    <Dialog
      title={edit.title}
      {...(edit.about !== undefined && { description: edit.about })}
      open
      onOpenChange={onClose}
      onSubmit={onSave}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={!model.canSave}>
            {edit.action}
          </Button>
        </>
      }
    >
      <div ref={model.host} className={styles.form} onBlur={form.onBlur}>
        {edit.fields.map((field, index) => (
          <OneField
            key={field.name}
            field={field}
            isFirst={index === 0}
            value={draft[field.name] ?? ''}
            error={form.issueAt(field.name)}
            onChange={(value) => model.change({ [field.name]: value })}
          />
        ))}
        {form.otherIssues.map(({ path, message }) => (
          <p key={path} role="alert" className={styles.problem}>
            {path === '' ? message : `${path}: ${message}`}
          </p>
        ))}
        <ErrorText error={model.error} />
      </div>
    </Dialog>
  );
}

interface OneFieldProps {
  field: EditField;
  isFirst: boolean;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

function OneField({ field, isFirst, value, error, onChange }: OneFieldProps) {
  const { name, label, hint, look, choices = [] } = field;
  if (look === 'switch') {
    return (
      <Toggle
        label={label}
        hint={hint ?? ''}
        isOn={value === 'true'}
        onChange={(isOn) => onChange(String(isOn))}
      />
    );
  }
  if (look === 'choice') {
    return <Choices label={label} value={value} choices={choices} onChange={onChange} />;
  }
  const shared = {
    name,
    label,
    hint,
    error,
    value,
    autoFocus: isFirst,
    spellCheck: false,
  };
  if (look === 'lines' || look === 'secretLines') {
    return (
      <TextArea
        {...shared}
        autoComplete="off"
        rows={4}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  }
  return (
    <Field
      {...shared}
      autoComplete={look === 'secret' ? 'new-password' : 'off'}
      type={look === 'secret' ? 'password' : 'text'}
      inputMode={look === 'number' ? 'decimal' : undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
