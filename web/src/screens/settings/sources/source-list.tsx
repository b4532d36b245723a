import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis, Pencil, Rows3, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { sourceTimesQuery, type Source } from '../../../api/queries/sources.ts';
import { IconButton } from '../../../kit/button.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../../kit/list-table.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../kit/menu.tsx';
import { Time } from '../../../kit/time.tsx';
import { formatAgo } from '../../../view/zone.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { kindName } from './source-parts.ts';

const columns = [
  { label: 'Source' },
  { label: 'Kind', isExtra: true },
  { label: 'Table', isExtra: true },
  { label: 'Newest row', isExtra: true },
  { label: 'Actions', isActions: true },
];

interface SourceListProps {
  sources: readonly Source[];
  canChange: boolean;
}

/** The sources of the team, and when each got its newest row. */
export function SourceList({ sources, canChange }: SourceListProps) {
  const { data: times, error } = useQuery(sourceTimesQuery);
  const [leaving, setLeaving] = useState<Source>();
  const newest = (id: string) => {
    const known = times?.find(({ sourceId }) => sourceId === id);
    if (!known) {
      return error ? 'Not known' : '…';
    }
    const { lastTime } = known;
    return lastTime === undefined ? 'No row' : <Time ms={lastTime}>{formatAgo(lastTime)}</Time>;
  };
  return (
    <>
      <ListTable label="Sources" columns={columns}>
        {sources.map((source) => (
          <tr key={source.id}>
            <TitleCell
              title={
                <Link to="/settings/sources" search={{ id: source.id }}>
                  {source.name}
                </Link>
              }
              smallNote={
                <>
                  {kindName(source.kind)} in {tableOf(source)}, {newest(source.id)}
                </>
              }
            />
            <Cell isExtra>{kindName(source.kind)}</Cell>
            <Cell isExtra>
              <code>{tableOf(source)}</code>
            </Cell>
            <Cell isExtra>{newest(source.id)}</Cell>
            <ActionsCell>
              <SourceMenu source={source} onDelete={canChange ? setLeaving : undefined} />
            </ActionsCell>
          </tr>
        ))}
      </ListTable>
      {leaving && <DeleteDialog source={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

/** A metric source has up to five tables. */
function tableOf(source: Source): string {
  if (source.kind !== 'metric') {
    return source.from.tableName;
  }
  const names = Object.values(source.metricTables);
  return names.length > 1 ? `${names.length} tables` : (names[0] ?? source.from.tableName);
}

interface SourceMenuProps {
  source: Source;
  onDelete: ((source: Source) => void) | undefined;
}

function SourceMenu({ source, onDelete }: SourceMenuProps) {
  const navigate = useNavigate();
  const { id, kind, name } = source;
  const show = (): void => {
    const to = kind === 'metric' ? '/metrics' : '/search';
    void navigate({ to, search: { source: id } });
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={`Actions of ${name}`}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<Rows3 size={14} aria-hidden />} onSelect={show}>
        {kind === 'metric' ? 'Show metrics' : 'Show rows'}
      </MenuItem>
      <MenuItem
        icon={<Pencil size={14} aria-hidden />}
        onSelect={() => void navigate({ to: '/settings/sources', search: { id } })}
      >
        {onDelete ? 'Edit' : 'Open'}
      </MenuItem>
      {onDelete && (
        <>
          <MenuSeparator />
          <MenuItem
            look="danger"
            icon={<Trash2 size={14} aria-hidden />}
            onSelect={() => onDelete(source)}
          >
            Delete…
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
