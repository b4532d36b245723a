import { MenuItem, MenuSeparator } from '../../../kit/menu.tsx';
import type { ReadyModel } from '../model.ts';

/** What can be done with a column of the table. */
export function ColumnMenu({ model, name }: { model: ReadyModel; name: string }) {
  const { columns, params } = model;
  const index = columns.indexOf(name);
  const move = (by: number): void => {
    const next = columns.filter((one) => one !== name);
    next.splice(index + by, 0, name);
    model.setColumns(next);
  };
  return (
    <>
      <MenuItem onSelect={() => model.ask({ order: `${name} ASC` })}>Sort ascending</MenuItem>
      <MenuItem onSelect={() => model.ask({ order: `${name} DESC` })}>Sort descending</MenuItem>
      {params.order !== undefined && (
        <MenuItem onSelect={() => model.ask({ order: undefined })}>Newest first</MenuItem>
      )}
      <MenuSeparator />
      <MenuItem onSelect={() => model.show({ group: name })}>Count by this over time</MenuItem>
      <MenuSeparator />
      <MenuItem disabled={index === 0} onSelect={() => move(-1)}>
        Move left
      </MenuItem>
      <MenuItem disabled={index === columns.length - 1} onSelect={() => move(1)}>
        Move right
      </MenuItem>
      <MenuItem
        disabled={columns.length === 1}
        onSelect={() => model.setColumns(columns.filter((one) => one !== name))}
      >
        Hide
      </MenuItem>
    </>
  );
}
