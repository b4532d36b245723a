import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../kit/button.tsx';
import { LeaveDialog } from '../../kit/leave-dialog.tsx';
import { Notice } from '../../kit/notice.tsx';
import { ErrorText } from '../../kit/state.tsx';
import { isModalOpen, useKeys } from '../../view/keys.ts';
import { AboutFields } from './about-fields.tsx';
import { ConditionFields } from './condition-fields.tsx';
import type { EditorModel } from './model/use-editor.ts';
import { NotifyFields } from './notify/notify-fields.tsx';
import { PreviewPanel } from './preview/preview-panel.tsx';
import { WhatFields } from './what/what-fields.tsx';
import styles from './alert-editor.module.css';

interface EditorProps {
  title: string;
  model: EditorModel;
  /** The page that the way back opens. */
  back: { href: string; label: string };
  saveLabel: string;
  onSave(): void;
  children?: ReactNode;
}

/** The page of an alert: source, condition, preview, name and notifications. */
export function Editor({ title, model, back, saveLabel, onSave, children }: EditorProps) {
  const { host, form, error, isChanged, isSaving, discard } = model;
  const saveByKey = (): void => {
    if (!isModalOpen()) {
      onSave();
    }
  };
  useKeys({ 'mod+s': saveByKey, 'mod+Enter': saveByKey });
  const others = form.otherIssues.map(({ path, message }) => `${path}: ${message}`);
  return (
    <form
      ref={host}
      className={styles.editor}
      noValidate
      onBlur={form.onBlur}
      onKeyDown={(event) => {
        // Enter alone does not save: the form is long. Dialogs over it have an Enter of their own.
        const { target, currentTarget, key, metaKey, ctrlKey } = event;
        const isInput = target instanceof HTMLInputElement && currentTarget.contains(target);
        if (key === 'Enter' && isInput && !metaKey && !ctrlKey) {
          event.preventDefault();
        }
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <header className={styles.head}>
        <div className={styles.headText}>
          <Link to={back.href} className={styles.back}>
            <ChevronLeft size={14} aria-hidden />
            {back.label}
          </Link>
          <h1>{title}</h1>
        </div>
        <div className={styles.headButtons}>
          <span className={styles.state} role="status">
            {isChanged ? 'Not saved. This browser keeps a draft.' : ''}
          </span>
          <Button disabled={!isChanged} onClick={discard}>
            Discard
          </Button>
          <Button
            look="primary"
            type="submit"
            aria-keyshortcuts="Control+Enter Control+S"
            disabled={isSaving}
          >
            {saveLabel}
          </Button>
        </div>
      </header>
      <div className={styles.scroll}>
        {model.isRestored && isChanged && (
          <Notice>This is your draft from an earlier visit. Discard it to begin again.</Notice>
        )}
        <ErrorText error={others.length > 0 ? new Error(others.join('; ')) : error} />
        <div className={styles.columns}>
          <div className={styles.question}>
            <WhatFields model={model} />
            <ConditionFields model={model} />
          </div>
          <div className={styles.preview}>
            <PreviewPanel model={model} />
          </div>
          <div className={styles.rest}>
            <AboutFields model={model} />
            <NotifyFields model={model} />
          </div>
        </div>
      </div>
      {children}
      <LeaveDialog isChanged={isChanged} isKept onDiscard={discard}>
        <p>The alert is not saved. If you keep the draft, this browser opens it here again.</p>
      </LeaveDialog>
    </form>
  );
}
