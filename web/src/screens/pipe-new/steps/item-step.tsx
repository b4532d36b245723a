import { useEffect } from 'react';
import type { PipeSourceItem } from '../../../api/queries/new-pipe.ts';
import { TextField } from '../../../kit/text-field.tsx';
import { Failure, LoadBar, Skeleton } from '../../../kit/state.tsx';
import { formatCount, plural } from '../../../view/number-format.ts';
import { withProposal } from '../model/proposal.ts';
import { kinds } from '../model/kinds/kinds.ts';
import { firstItem, useDiscovery, type Discovery } from '../model/use-discovery.ts';
import type { Connected, Wizard } from '../model/use-wizard.ts';
import type { StepProps } from '../model/step-props.ts';
import { Records } from './records.tsx';
import styles from '../pipe-new.module.css';

/** The topic, the stream or the object, with its records. */
export function ItemStep({ wizard, form, connected }: StepProps & { connected: Connected }) {
  const { kind, draft, change } = wizard;
  const texts = kinds[kind];
  const list = useDiscovery(connected);
  const shown = firstItem(draft.item, kind === 'kafka');
  const sample = useDiscovery(connected, shown);
  useProposal(wizard, shown, sample);
  const choose = (item: string): void => change(() => ({ item: item.trim() }));
  const items = list.data?.items ?? [];
  const [only] = items;
  const chosen = kind === 'objectStorage' || items.length === 1 ? only?.id : undefined;
  useEffect(() => {
    if (draft.item === '' && chosen !== undefined) {
      change(() => ({ item: chosen }));
    }
  }, [draft.item, chosen, change]);
  return (
    <div className={styles.columns}>
      <div className={styles.fields}>
        <p>{texts.choose}</p>
        <TextField
          label={texts.item}
          hint={`Choose below, or enter a name. Enter shows its records.`}
          value={draft.item}
          error={form.issueAt('item')}
          onCommit={choose}
        />
        <Items label={texts.items} list={list} item={draft.item} onChoose={choose} />
      </div>
      <aside className={styles.side} aria-label="Records">
        <Records item={shown} sample={sample} what={`${articled(texts.item)}`} />
      </aside>
    </div>
  );
}

const articled = (word: string): string =>
  `${/^[AEIOU]/.test(word) ? 'an' : 'a'} ${word.toLowerCase()}`;

/** Columns and table follow the sample until the person changes them. */
function useProposal({ draft, change }: Wizard, item: string, { data }: Discovery): void {
  const { columnsOf, isEdited } = draft;
  const proposal = data?.proposal;
  useEffect(() => {
    if (proposal && columnsOf !== item && !isEdited) {
      change((now) => withProposal(now, item, proposal));
    }
  }, [proposal, columnsOf, isEdited, item, change]);
}

interface ItemsProps {
  label: string;
  list: Discovery;
  item: string;
  onChoose(item: string): void;
}

function Items({ label, list: { data, error, isFetching, retry }, item, onChoose }: ItemsProps) {
  if (error) {
    return (
      <Failure
        title={`The ${label.toLowerCase()} cannot be listed`}
        error={error}
        onRetry={retry}
      />
    );
  }
  if (!data) {
    return <Skeleton lines={5} height={36} />;
  }
  return (
    <fieldset className={styles.items}>
      <legend>
        {label} {data.items.length > 0 && `(${formatCount(data.items.length)})`}
      </legend>
      <LoadBar isOn={isFetching} />
      {data.items.length === 0 && <p className={styles.quiet}>The source has none yet.</p>}
      {data.hasMore && (
        <p className={styles.quiet}>These are the first ones. Enter the name of another above.</p>
      )}
      <div className={styles.itemList}>
        {data.items.map((one) => (
          <label key={one.id} className={styles.item}>
            <input
              type="radio"
              name="chosen"
              checked={one.id === item}
              onChange={() => onChoose(one.id)}
            />
            <span className={styles.itemName}>
              {one.id}
              {one.problem !== undefined && <span className={styles.why}>{one.problem}</span>}
            </span>
            <span className={styles.quiet}>{factOf(one)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function factOf({ partitions, bytes }: PipeSourceItem): string {
  if (partitions !== undefined) {
    return plural(partitions, 'partition');
  }
  return bytes === undefined ? '' : plural(bytes, 'byte');
}
