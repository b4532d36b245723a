import { Columns3, Copy, Download, WrapText, X } from 'lucide-react';
import { useState } from 'react';
import type { SearchRow } from '../../../api/queries/search.ts';
import type { SourceField } from '../../../api/queries/sources.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { CommandList } from '../../../kit/command-list.tsx';
import { Menu, MenuItem } from '../../../kit/menu.tsx';
import { Popover } from '../../../kit/popover.tsx';
import { copy } from '../../../kit/state.tsx';
import { plural } from '../../../view/number-format.ts';
import { usePref } from '../../../view/use-pref.ts';
import { defaultColumns, fieldHint } from '../columns.ts';
import type { ExportFormat } from '../export/use-export.ts';
import type { ReadyModel } from '../model.ts';
import { rowsAsText, type RowFormat } from './row-text.ts';
import styles from './rows.module.css';

interface RowsBarProps {
  model: ReadyModel;
  fields: readonly SourceField[];
  rows: readonly SearchRow[];
  /** Rows that the person selected. */
  chosen: readonly SearchRow[];
  /** Undefined while an export runs. */
  onExport: ((format: ExportFormat) => void) | undefined;
  onClear(): void;
}

const formats: readonly { format: RowFormat; label: string }[] = [
  { format: 'text', label: 'text' },
  { format: 'json', label: 'JSON' },
  { format: 'ndjson', label: 'NDJSON' },
  { format: 'csv', label: 'CSV' },
];

/** Columns, wrapping, copying and exporting of rows. */
export function RowsBar({ model, fields, rows, chosen, onExport, onClear }: RowsBarProps) {
  const [wrap, setWrap] = usePref('wrapRows');
  const [isOpen, setOpen] = useState(false);
  const copied = chosen.length > 0 ? chosen : rows;
  return (
    <div className={styles.bar}>
      {chosen.length > 0 && (
        <>
          <span>{plural(chosen.length, 'row')} selected</span>
          <IconButton label="Clear the selection" size="small" onClick={onClear}>
            <X size={14} aria-hidden />
          </IconButton>
        </>
      )}
      <Menu
        align="end"
        trigger={
          <Button size="small" look="plain" icon={<Copy size={14} aria-hidden />}>
            Copy
          </Button>
        }
      >
        {formats.map(({ format, label }) => (
          <MenuItem
            key={format}
            onSelect={() =>
              void copy(rowsAsText(copied, model.columns, format), plural(copied.length, 'row'))
            }
          >
            {plural(copied.length, 'row')} as {label}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        align="end"
        trigger={
          <Button
            size="small"
            look="plain"
            disabled={!onExport}
            icon={<Download size={14} aria-hidden />}
          >
            Export
          </Button>
        }
      >
        <MenuItem onSelect={() => onExport?.('csv')}>All rows that match as CSV</MenuItem>
        <MenuItem onSelect={() => onExport?.('ndjson')}>All rows that match as NDJSON</MenuItem>
      </Menu>
      <Button
        size="small"
        look="plain"
        aria-pressed={wrap}
        aria-keyshortcuts="Shift+W"
        icon={<WrapText size={14} aria-hidden />}
        onClick={() => setWrap(!wrap)}
      >
        Wrap
      </Button>
      <Popover
        label="Columns"
        open={isOpen}
        onOpenChange={setOpen}
        align="end"
        trigger={
          <Button size="small" look="plain" icon={<Columns3 size={14} aria-hidden />}>
            Columns
          </Button>
        }
      >
        <ColumnList model={model} fields={fields} />
      </Popover>
    </div>
  );
}

function ColumnList({ model, fields }: Pick<RowsBarProps, 'model' | 'fields'>) {
  const { columns, source } = model;
  const others = fields.map(({ name }) => name).filter((name) => !columns.includes(name));
  const hints = new Map(fields.map((field) => [field.name, fieldHint(field)]));
  const toggle = (name: string): void => {
    const isShown = columns.includes(name);
    const next = isShown ? columns.filter((one) => one !== name) : [...columns, name];
    if (next.length > 0) {
      model.setColumns(next);
    }
  };
  return (
    <div className={styles.columnList}>
      <CommandList
        label="Columns"
        placeholder="Find a column or an attribute"
        commands={[...columns, ...others].map((name) => ({
          id: name,
          group: columns.includes(name) ? 'Shown' : 'Not shown',
          label: name,
          hint: hints.get(name),
          isCurrent: columns.includes(name),
          run: () => toggle(name),
        }))}
      />
      <div className={styles.columnFoot}>
        <Button size="small" look="plain" onClick={() => model.setColumns(defaultColumns(source))}>
          Columns of the source
        </Button>
      </div>
    </div>
  );
}
