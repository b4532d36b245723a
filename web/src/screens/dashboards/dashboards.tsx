import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { FileUp, Plus } from 'lucide-react';
import { dashboardSummariesQuery, type DashboardSummary } from '../../api/queries/dashboards.ts';
import { Button } from '../../kit/button.tsx';
import { BareInput } from '../../kit/field.tsx';
import { Cell, ActionsCell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { Empty, Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { useKeys } from '../../view/keys.ts';
import { plural } from '../../view/number-format.ts';
import { compact } from '../../view/url-state.ts';
import { usePref } from '../../view/use-pref.ts';
import { useTitle } from '../../view/use-title.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import { CreateDialog } from './create-dialog.tsx';
import { DashboardMenu } from './dashboard-menu.tsx';
import { ImportDialog } from './import-dialog.tsx';
import type { DashboardsParams } from './params.ts';
import styles from './dashboards.module.css';

const route = getRouteApi('/inside/dashboards');

/** All dashboards of the team. */
export function Dashboards() {
  const query = useQuery(dashboardSummariesQuery);
  const params = route.useSearch();
  const show = useShow();
  useTitle('Dashboards');
  const buttons = (
    <div className={styles.buttons}>
      <Button icon={<FileUp size={14} aria-hidden />} onClick={() => show({ import: true })}>
        Import
      </Button>
      <Button
        look="primary"
        icon={<Plus size={14} aria-hidden />}
        onClick={() => show({ new: true })}
      >
        New dashboard
      </Button>
    </div>
  );
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Dashboards</h1>
        {buttons}
      </header>
      <Body query={query} onCreate={() => show({ new: true })} />
      {params.new && <CreateDialog onClose={() => show({ new: undefined })} />}
      {params.import && <ImportDialog onClose={() => show({ import: undefined })} />}
    </div>
  );
}

/** Shows another view of the list. */
function useShow(): (changes: Partial<DashboardsParams>) => void {
  const navigate = useNavigate({ from: '/dashboards' });
  return (changes) => {
    void navigate({
      search: (before: DashboardsParams) => compact({ ...before, ...changes }),
      replace: true,
    });
  };
}

interface BodyProps {
  query: ReturnType<typeof useQuery<DashboardSummary[]>>;
  onCreate(): void;
}

function Body({ query, onCreate }: BodyProps) {
  const { data, error, isFetching, refetch } = query;
  if (error && !data) {
    return (
      <Failure
        title="The dashboards cannot be listed"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return <Skeleton lines={6} height={40} />;
  }
  if (data.length === 0) {
    return (
      <Empty
        title="There is no dashboard"
        actions={
          <Button size="small" onClick={onCreate}>
            New dashboard
          </Button>
        }
      >
        A dashboard shows charts, tables and text of your telemetry on one page.
      </Empty>
    );
  }
  return (
    <div className={styles.list}>
      <LoadBar isOn={isFetching} />
      <FoundDashboards all={data} />
    </div>
  );
}

function FoundDashboards({ all }: { all: readonly DashboardSummary[] }) {
  const { tag, find = '' } = route.useSearch();
  const show = useShow();
  useKeys({ '/': () => document.querySelector<HTMLInputElement>('#find-dashboard')?.focus() });
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all
    .filter(({ tags }) => tag === undefined || tags.includes(tag))
    .filter(({ name, tags }) => {
      const text = `${name} ${tags.join(' ')}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <div className={styles.finder}>
        <BareInput
          id="find-dashboard"
          label="Find a dashboard"
          placeholder="Find by name or tag"
          aria-keyshortcuts="/"
          value={find}
          onChange={(event) => show({ find: event.target.value || undefined })}
        />
        <TagChoice all={all} tag={tag} onTag={(next) => show({ tag: next })} />
      </div>
      {found.length > 0 ? (
        <DashboardTable found={found} onTag={(next) => show({ tag: next })} />
      ) : (
        <Empty
          title="No dashboard is found"
          actions={
            <Button size="small" onClick={() => show({ tag: undefined, find: undefined })}>
              Show all {all.length}
            </Button>
          }
        >
          None has {find === '' ? 'the tag' : `“${find}” in its name or tags`}
          {find === '' || tag === undefined ? ' ' : ' and the tag '}
          {tag !== undefined && `“${tag}”`}.
        </Empty>
      )}
    </>
  );
}

interface TagChoiceProps {
  all: readonly DashboardSummary[];
  tag: string | undefined;
  onTag(tag: string | undefined): void;
}

function TagChoice({ all, tag, onTag }: TagChoiceProps) {
  const tags = [...new Set(all.flatMap((dashboard) => dashboard.tags))].toSorted();
  return (
    <ul className={styles.tags} aria-label="Tags">
      {tags.map((name) => (
        <li key={name}>
          <button
            type="button"
            className={styles.tag}
            aria-pressed={name === tag}
            onClick={() => onTag(name === tag ? undefined : name)}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface TableProps {
  found: readonly DashboardSummary[];
  onTag(tag: string): void;
}

function DashboardTable({ found, onTag }: TableProps) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const changed = ({ updatedAt }: DashboardSummary): string =>
    formatTime(Date.parse(updatedAt), zone, 'minute');
  return (
    <ListTable
      label="Dashboards"
      columns={[
        { label: 'Name' },
        { label: 'Tags', isExtra: true },
        { label: `Changed (${zoneLabel(zone)})`, isExtra: true },
        { label: 'Actions', isActions: true },
      ]}
    >
      {found.map((dashboard) => (
        <tr key={dashboard.id}>
          <TitleCell
            title={
              <Link to="/dashboards/$id" params={{ id: dashboard.id }}>
                {dashboard.name}
              </Link>
            }
            note={plural(dashboard.tileCount, 'tile')}
            smallNote={dashboard.tags.length > 0 ? dashboard.tags.join(', ') : undefined}
          />
          <Cell isExtra>
            <span className={styles.rowTags}>
              {dashboard.tags.map((name) => (
                <button
                  key={name}
                  type="button"
                  className={styles.tag}
                  aria-label={`Only the tag ${name}`}
                  onClick={() => onTag(name)}
                >
                  {name}
                </button>
              ))}
            </span>
          </Cell>
          <Cell isExtra>{changed(dashboard)}</Cell>
          <ActionsCell>
            <DashboardMenu dashboard={dashboard} />
          </ActionsCell>
        </tr>
      ))}
    </ListTable>
  );
}
