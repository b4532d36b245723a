import { ListTree } from 'lucide-react';
import { useState } from 'react';
import type { SearchColumn } from '../../../api/queries/search.ts';
import { Button } from '../../../kit/button.tsx';
import { classNames } from '../../../kit/class-names.ts';
import { BareInput } from '../../../kit/field.tsx';
import { usePref } from '../../../view/use-pref.ts';
import type { ReadyModel } from '../model.ts';
import { attributesOf } from './row-overview.tsx';
import { ValueList } from './value-list.tsx';
import styles from './row.module.css';
import panel from '../../../kit/panel.module.css';

interface RowAttributesProps {
  model: ReadyModel;
  row: Record<string, unknown>;
  columns: readonly SearchColumn[];
}

/** Every column and key of the row, to find in. */
export function RowAttributes({ model, row, columns }: RowAttributesProps) {
  const [text, setText] = useState('');
  const [isTree, setTree] = usePref('attributeTree');
  const word = text.trim().toLowerCase();
  const has = ({ name, value }: { name: string; value: unknown }): boolean =>
    `${name} ${String(value)}`.toLowerCase().includes(word);
  const maps = columns.filter(({ name }) => isMap(row[name]));
  const plain = columns
    .filter(({ name }) => !isMap(row[name]))
    .map(({ name }) => ({ name, value: row[name] }));
  return (
    <>
      <div className={classNames(panel.find, styles.findRow)}>
        <BareInput
          label="Find in keys and values"
          placeholder="Find in keys and values"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          size="small"
          aria-pressed={isTree}
          icon={<ListTree size={14} aria-hidden />}
          onClick={() => setTree(!isTree)}
        >
          Tree
        </Button>
      </div>
      {maps.map(({ name }) => (
        <ValueList
          key={name}
          title={name}
          model={model}
          values={attributesOf(row[name], name).filter(has)}
          isTree={isTree}
        />
      ))}
      <ValueList title="Columns" model={model} values={plain.filter(has)} />
    </>
  );
}

const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
