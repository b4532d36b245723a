import { Eye } from 'lucide-react';
import { useState } from 'react';
import type { PipeSourceItem } from '../../../api/queries/new-pipe.ts';
import { IconButton } from '../../../kit/button.tsx';
import { CheckBox } from '../../../kit/check-box.tsx';
import { BareInput } from '../../../kit/field.tsx';
import { Failure, Skeleton } from '../../../kit/state.tsx';
import { plural } from '../../../view/number-format.ts';
import { withoutTable, withTable } from '../model/tables.ts';
import { kinds } from '../model/kinds/kinds.ts';
import { useDiscovery, type Discovery } from '../model/use-discovery.ts';
import type { Connected, Wizard } from '../model/use-wizard.ts';
import type { StepProps } from '../model/step-props.ts';
import { Records } from './records.tsx';
import styles from '../pipe-new.module.css';

/** The tables of a database, with rows of one of them. */
export function TablesStep({ wizard, form, connected }: StepProps & { connected: Connected }) {
  const { draft } = wizard;
  const list = useDiscovery(connected);
  const sample = useDiscovery(connected, draft.item);
  const issue = form.issueAt('tables');
  return (
    <div className={styles.columns}>
      <div className={styles.fields}>
        <p>{kinds.postgres.choose}</p>
        <Tables wizard={wizard} list={list} sample={sample} />
        {issue !== undefined && (
          <p role="alert" className={styles.problem}>
            {draft.tables.length === 0 ? 'Choose a table.' : issue}
          </p>
        )}
      </div>
      <aside className={styles.side} aria-label="Records">
        <Records item={draft.item} sample={sample} what="a table" />
      </aside>
    </div>
  );
}

interface TablesProps {
  wizard: Wizard;
  list: Discovery;
  sample: Discovery;
}

function Tables({ wizard, list, sample }: TablesProps) {
  const [find, setFind] = useState('');
  const { draft, change } = wizard;
  const { data, error, retry } = list;
  if (error) {
    return <Failure title="The tables cannot be listed" error={error} onRetry={retry} />;
  }
  if (!data) {
    return <Skeleton lines={5} height={36} />;
  }
  // A table beyond the list was asked for by its name.
  const extra = (sample.data?.items ?? []).filter(
    ({ id }) => !data.items.some((one) => one.id === id),
  );
  const items = [...data.items, ...extra];
  const found = items.filter(({ id }) => id.toLowerCase().includes(find.trim().toLowerCase()));
  const chosen = new Set(draft.tables.map(({ id }) => id));
  const usable = found.filter(({ problem }) => problem === undefined);
  const isAll = usable.length > 0 && usable.every(({ id }) => chosen.has(id));
  const choose = (tables: readonly PipeSourceItem[], isChosen: boolean): void =>
    change((now) => ({
      tables: tables.reduce(
        (rows, table) => (isChosen ? withTable(rows, table) : withoutTable(rows, table.id)),
        [...now.tables],
      ),
      ...(isChosen && tables.length === 1 && { item: tables[0]?.id ?? '' }),
    }));
  return (
    <>
      <BareInput
        label="Find a table"
        placeholder="Find a table, or enter schema.table"
        autoComplete="off"
        spellCheck={false}
        value={find}
        onChange={({ target }) => setFind(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found.length === 0 && find.trim() !== '') {
            event.preventDefault();
            change(() => ({ item: find.trim() }));
          }
        }}
      />
      {found.length === 0 && (
        <p className={styles.quiet}>
          {find.trim() === ''
            ? 'The database has no table that the login can see.'
            : 'No table of the list has this name. Enter asks the database for it.'}
        </p>
      )}
      {data.hasMore && (
        <p className={styles.quiet}>These are the first tables. Enter the name of another above.</p>
      )}
      {usable.length > 1 && (
        <label className={styles.item}>
          <CheckBox
            label="Choose all"
            checked={isAll}
            isMixed={!isAll && usable.some(({ id }) => chosen.has(id))}
            onChange={({ target }) => choose(usable, target.checked)}
          />
          <span className={styles.itemName}>All {plural(usable.length, 'table')}</span>
        </label>
      )}
      <ul className={styles.itemList} aria-label="Tables">
        {found.map((item) => (
          <li key={item.id} className={styles.item}>
            <CheckBox
              label={`Choose ${item.id}`}
              checked={chosen.has(item.id)}
              disabled={item.problem !== undefined && !chosen.has(item.id)}
              onChange={({ target }) => choose([item], target.checked)}
            />
            <span className={styles.itemName}>
              {item.id}
              {item.problem !== undefined && <span className={styles.why}>{item.problem}</span>}
            </span>
            <span className={styles.quiet}>{item.problem === undefined && factOf(item)}</span>
            <IconButton
              label={`Show rows of ${item.id}`}
              size="small"
              onClick={() => change(() => ({ item: item.id }))}
            >
              <Eye size={14} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </>
  );
}

const factOf = ({ columns = [], primaryKey = [] }: PipeSourceItem): string =>
  [
    plural(columns.length, 'column'),
    primaryKey.length > 0 ? `key ${primaryKey.join(', ')}` : 'no primary key',
  ].join(', ');
