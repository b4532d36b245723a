import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useBlocker, useMatch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import {
  createSource,
  readSource,
  sourceFieldsQuery,
  tablesQuery,
  updateSource,
  type VersionedSource,
} from '../../../api/queries/sources.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../kit/button.tsx';
import { Choices } from '../../../kit/choices.tsx';
import { Conflict } from '../../../kit/conflict.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Notice as NoticeBox } from '../../../kit/notice.tsx';
import { ErrorText, Notice } from '../../../kit/state.tsx';
import { toast } from '../../../kit/toast.tsx';
import { useKeys } from '../../../view/keys.ts';
import { useTitle } from '../../../view/use-title.ts';
import { changeOf, differingParts, draftOf, emptyDraft, inputOf } from './draft.ts';
import { Sample } from './sample.tsx';
import { NameField, SourceFields } from './source-fields.tsx';
import { kindName, kinds } from './source-parts.ts';
import { useSourceForm, type SourceForm } from './use-source-form.ts';
import styles from './sources.module.css';

const route = getRouteApi('/inside/settings/sources');

interface EditorProps {
  /** The stored source; undefined: a new one. */
  stored: VersionedSource | undefined;
  /** The only database that the team can read. */
  databaseName: string;
  canChange: boolean;
}

/** The form of a source, new or stored. */
export function SourceEditor({ stored, databaseName, canChange }: EditorProps) {
  const form = useSourceForm(
    stored ? { ...draftOf(stored.item), databaseName } : emptyDraft('log', databaseName),
    stored === undefined,
  );
  const tables = useQuery(tablesQuery);
  const { data: fields = [] } = useQuery({
    ...sourceFieldsQuery(stored?.item.id ?? ''),
    enabled: stored !== undefined,
  });
  const saving = useSaving(form, stored);
  const foreign = stored?.item.from.databaseName ?? databaseName;
  const title = stored ? stored.item.name : 'New source';
  useTitle(title);
  const host = useFirstMistake(form.refusals);
  useKeys({ 'mod+s': () => canChange && void saving.save() });
  return (
    <form
      ref={host}
      noValidate
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        void saving.save();
      }}
    >
      <header>
        <p>
          <Link to="/settings/sources">Sources</Link>
        </p>
        <h1 className={styles.title}>{title}</h1>
        {stored && <p className={styles.note}>{kindName(stored.item.kind)}</p>}
      </header>
      {foreign !== databaseName && (
        <NoticeBox look="warning">
          The source names the database “{foreign}”, but this team can read only “{databaseName}”. A
          save changes it.
        </NoticeBox>
      )}
      {tables.error && (
        <Notice
          action={
            <Button size="small" onClick={() => void tables.refetch()}>
              Try again
            </Button>
          }
        >
          The tables cannot be listed, so names are not completed. {tables.error.message}
        </Notice>
      )}
      <section className={styles.part} aria-label="Source">
        {!stored && (
          <Choices
            label="Kind"
            value={form.draft.kind}
            choices={kinds}
            onChange={(kind) => form.setKind(kind, tables.data ?? [])}
          />
        )}
        <NameField form={form} />
      </section>
      <SourceFields form={form} tables={tables.data ?? []} fields={fields} />
      <Sample form={form} />
      <footer className={styles.foot}>
        {canChange && (
          <Button look="primary" type="submit" disabled={saving.isBusy}>
            {stored ? 'Save source' : 'Create source'}
          </Button>
        )}
        <Link to="/settings/sources" className={styles.back}>
          {canChange ? 'Cancel' : 'Back to the list'}
        </Link>
        <ErrorText error={saving.error} />
        {form.issues.length > 0 && (
          <p className={styles.error} role="status">
            {form.issues.length === 1 ? 'A field has a mistake.' : 'Some fields have mistakes.'}
          </p>
        )}
      </footer>
      {saving.dialog}
      <LeaveDialog isChanged={form.isChanged && canChange} isSaved={saving.isSaved} />
    </form>
  );
}

/** Puts the focus on the first field with a mistake. */
function useFirstMistake(refusals: number) {
  const host = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusals > 0) {
      host.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [refusals]);
  return host;
}

/** Saves the draft, and settles a conflict with another person's change. */
function useSaving(form: SourceForm, stored: VersionedSource | undefined) {
  const navigate = route.useNavigate();
  const { isBusy, error, run } = useAction();
  const [theirs, setTheirs] = useState<VersionedSource>();
  const [version, setVersion] = useState(stored?.version ?? '*');
  // The guard against leaving reads it when the page goes, before the next render.
  const isSaved = useRef(false);
  const store = async (over: string): Promise<void> => {
    if (stored) {
      await updateSource(stored.item.id, over, changeOf(form.draft));
    } else {
      await createSource(inputOf(form.draft));
    }
    isSaved.current = true;
    toast(stored ? `“${form.draft.name}” is saved.` : `“${form.draft.name}” is made.`);
    await navigate({ search: {} });
  };
  const attempt = async (over: string): Promise<void> => {
    try {
      await store(over);
    } catch (failure) {
      if (!(failure instanceof ApiError)) {
        throw failure;
      }
      if (failure.status === 412 && stored) {
        setTheirs(await readSource(stored.item.id));
      } else if (failure.issues.length > 0) {
        setTheirs(undefined);
        setVersion(over);
        form.refuse(failure.issues);
      } else {
        throw failure;
      }
    }
  };
  const save = (): Promise<void> =>
    run(async () => {
      if (await form.check()) {
        await attempt(version);
      }
    });
  const dialog = theirs && (
    <Conflict
      name={theirs.item.name}
      differences={differingParts(draftOf(theirs.item), form.draft).map(({ name, texts }) => ({
        name,
        theirs: texts[0],
        mine: texts[1],
      }))}
      isSaving={isBusy}
      error={error?.message}
      onMine={() => void run(() => attempt(theirs.version))}
      onTheirs={() => {
        form.reset(draftOf(theirs.item));
        setVersion(theirs.version);
        setTheirs(undefined);
      }}
      onClose={() => setTheirs(undefined)}
    />
  );
  return { save, isBusy, isSaved, error: theirs ? undefined : error, dialog };
}

interface LeaveProps {
  isChanged: boolean;
  isSaved: { current: boolean };
}

/** Asks before another page takes the place of changes. */
function LeaveDialog({ isChanged, isSaved }: LeaveProps) {
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  const blocker = useBlocker({
    // As in the kit: not once the person has left and the next page still loads.
    shouldBlockFn: ({ current }) => isChanged && !isSaved.current && current.pathname === path,
    enableBeforeUnload: () => isChanged && !isSaved.current,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') {
    return null;
  }
  return (
    <Dialog
      title="Leave without saving?"
      open
      onOpenChange={blocker.reset}
      actions={
        <>
          <Button onClick={blocker.reset} autoFocus>
            Stay
          </Button>
          <Button look="danger" onClick={blocker.proceed}>
            Discard and leave
          </Button>
        </>
      }
    >
      <p>The source has changes that are not saved.</p>
    </Dialog>
  );
}
