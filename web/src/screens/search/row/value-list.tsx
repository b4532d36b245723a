import { Ellipsis, ListFilter, ListX } from 'lucide-react';
import { IconButton } from '../../../kit/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../kit/menu.tsx';
import { copy } from '../../../kit/state.tsx';
import { withValue } from '../../../view/filters.ts';
import { cellText } from '../columns.ts';
import type { ReadyModel } from '../model.ts';
import { treeOf, type Branch, type Value } from './attribute-tree.ts';
import styles from './row.module.css';
import panel from '../../../kit/panel.module.css';

interface ValueListProps {
  title: string;
  model: ReadyModel;
  values: readonly Value[];
  /** Names that begin alike stand together. */
  isTree?: boolean;
}

/** Names and values of a row, each with what can be done with it. */
export function ValueList({ title, model, values, isTree = false }: ValueListProps) {
  if (values.length === 0) {
    return null;
  }
  return (
    <section className={panel.group}>
      <h3 className={panel.groupTitle}>{title}</h3>
      {isTree ? (
        <BranchList model={model} branch={treeOf(values)} />
      ) : (
        <Values model={model} values={values} />
      )}
    </section>
  );
}

const Values = ({ model, values }: Pick<ValueListProps, 'model' | 'values'>) => (
  <dl>
    {values.map((value) => (
      <ValueItem key={value.name} model={model} {...value} />
    ))}
  </dl>
);

function BranchList({ model, branch }: { model: ReadyModel; branch: Branch }) {
  return (
    <>
      <Values model={model} values={branch.values} />
      {branch.branches.map((inner) => (
        <details key={inner.title} open className={styles.branch}>
          <summary>{inner.title}</summary>
          <BranchList model={model} branch={inner} />
        </details>
      ))}
    </>
  );
}

function ValueItem({ model, name, label = name, value }: Value & { model: ReadyModel }) {
  const { columns, filters, source } = model;
  const raw = cellText(value, '', undefined);
  const shown = cellText(value, name, source);
  // Conditions test texts and numbers; lists and maps have keys of their own.
  const isTestable = typeof value !== 'object';
  const filter = (op: 'is' | 'is_not'): void => model.setFilters(withValue(filters, op, name, raw));
  return (
    <div className={panel.value}>
      <dt title={name}>{label}</dt>
      <dd>
        {shown === '' ? <span className={panel.empty}>(empty)</span> : shown}
        <span className={panel.actions}>
          {isTestable && (
            <>
              <IconButton
                label={`Only ${label} = ${shown}`}
                size="small"
                className={panel.quick}
                onClick={() => filter('is')}
              >
                <ListFilter size={14} aria-hidden />
              </IconButton>
              <IconButton
                label={`Exclude ${label} = ${shown}`}
                size="small"
                className={panel.quick}
                onClick={() => filter('is_not')}
              >
                <ListX size={14} aria-hidden />
              </IconButton>
            </>
          )}
          <Menu
            align="end"
            trigger={
              <IconButton label={`More for ${label}`} size="small">
                <Ellipsis size={14} aria-hidden />
              </IconButton>
            }
          >
            <MenuItem disabled={!isTestable} onSelect={() => filter('is')}>
              Only this value
            </MenuItem>
            <MenuItem disabled={!isTestable} onSelect={() => filter('is_not')}>
              Exclude this value
            </MenuItem>
            <MenuSeparator />
            <MenuItem onSelect={() => void copy(raw, 'Value')}>Copy value</MenuItem>
            <MenuItem onSelect={() => void copy(name, 'Name')}>Copy name</MenuItem>
            <MenuSeparator />
            <MenuItem
              disabled={columns.includes(name)}
              onSelect={() => model.setColumns([...columns, name])}
            >
              Add as column
            </MenuItem>
            <MenuItem onSelect={() => model.show({ group: name })}>
              Count by this over time
            </MenuItem>
            <MenuItem
              onSelect={() =>
                model.setFilters([
                  ...filters.filter((one) => one.field !== name || one.op !== 'exists'),
                  { field: name, op: 'exists' },
                ])
              }
            >
              Only rows that have it
            </MenuItem>
          </Menu>
        </span>
      </dd>
    </div>
  );
}
