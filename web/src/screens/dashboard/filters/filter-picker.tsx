import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { DashboardFilter } from '../../../api/queries/dashboards.ts';
import { Button } from '../../../kit/button.tsx';
import { CommandList, type Command } from '../../../kit/command-list.tsx';
import { Popover } from '../../../kit/popover.tsx';
import { formatShort } from '../../../view/number-format.ts';
import { valuesOf, variableOf, type DashboardModel } from '../model.ts';
import { useValues, type FilteredDashboard } from './values.ts';
import styles from './filters.module.css';

interface FilterPickerProps {
  model: DashboardModel;
  dashboard: FilteredDashboard;
  filter: DashboardFilter;
}

/** Values of one field with their counts: each choice adds it or takes it away. */
export function FilterPicker({ model, dashboard, filter }: FilterPickerProps) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const values = valuesOf(model.params, filter);
  const { data, error, isFetching } = useValues({ model, dashboard, filter, search: text }, open);
  const toggle = (value: string): void => {
    const next = values.includes(value)
      ? values.filter((one) => one !== value)
      : [...values, value];
    model.ask({ [variableOf(filter)]: next.length > 0 ? next : undefined });
  };
  const counts = new Map(data?.map((one) => [one.value, one.rows]));
  const typed = text.trim();
  const offered = new Set([...values, ...counts.keys(), ...(typed === '' ? [] : [typed])]);
  const all: Command = {
    id: 'all',
    label: 'All values',
    isCurrent: values.length === 0,
    run: () => model.ask({ [variableOf(filter)]: undefined }),
  };
  const choices: Command[] = [...offered].map((value) => ({
    id: `value-${value}`,
    label: value === '' ? '(empty)' : value,
    hint: countText(counts.get(value)),
    isCurrent: values.includes(value),
    run: () => toggle(value),
  }));
  return (
    <Popover
      label={filter.name}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setText('');
      }}
      trigger={
        <Button className={styles.trigger} title={values.join(', ')}>
          <span className={styles.name}>{filter.name}:</span>{' '}
          <span className={styles.values}>{valuesText(values)}</span>
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <CommandList
        label={filter.name}
        commands={typed === '' && choices.length > 0 ? [all, ...choices] : choices}
        placeholder="Find a value"
        empty={emptyText(isFetching, error)}
        className={styles.list}
        onText={setText}
      />
    </Popover>
  );
}

const valuesText = (values: readonly string[]): string => {
  const [first] = values;
  if (first === undefined) {
    return 'all';
  }
  const name = first === '' ? '(empty)' : first;
  return values.length === 1 ? name : `${name} + ${values.length - 1}`;
};

const countText = (rows: number | undefined): string | undefined =>
  rows === undefined ? undefined : formatShort(rows);

const emptyText = (isFetching: boolean, error: Error | null): string => {
  if (error) {
    return error.message;
  }
  return isFetching ? 'Looking for values…' : 'No value in this range.';
};
