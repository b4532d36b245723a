import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { sourceQuery, sourcesQuery, tablesQuery } from '../../../api/queries/sources.ts';
import { useRight } from '../../../api/use-right.ts';
import { Button } from '../../../kit/button.tsx';
import { Empty, Failure, Skeleton } from '../../../kit/state.tsx';
import { Listed } from '../listed.tsx';
import { PageHead } from '../page-head.tsx';
import { SourceEditor } from './source-editor.tsx';
import { SourceList } from './source-list.tsx';

const route = getRouteApi('/inside/settings/sources');

const about =
  'Tables of the telemetry database that searches, charts and alerts read. A source says which ' +
  'column holds the time, the message, the service and so on.';

/** The sources of the team, and the form of one. */
export function Sources() {
  const { new: isNew, id } = route.useSearch();
  const canChange = useRight('sources:write');
  if (id !== undefined) {
    return <OpenSource key={id} id={id} canChange={canChange} />;
  }
  return isNew && canChange ? <NewSource /> : <List canChange={canChange} />;
}

function List({ canChange }: { canChange: boolean }) {
  const navigate = route.useNavigate();
  const sources = useQuery(sourcesQuery);
  const add = (
    <Button
      look="primary"
      icon={<Plus size={14} aria-hidden />}
      onClick={() => void navigate({ search: { new: true } })}
    >
      New source
    </Button>
  );
  return (
    <>
      <PageHead title="Sources" about={about} action={canChange && add} />
      <Listed query={sources} failed="The sources cannot be listed">
        {(list) =>
          list.length === 0 ? (
            <Empty title="There is no source" actions={canChange && add}>
              Searches, charts and alerts need one.
            </Empty>
          ) : (
            <SourceList sources={list} canChange={canChange} />
          )
        }
      </Listed>
    </>
  );
}

/** The only database that the team can read; undefined until the first answers. */
function useDatabase(): string | undefined {
  const tables = useQuery(tablesQuery);
  const sources = useQuery(sourcesQuery);
  const known = useRef<string>(undefined);
  if (!tables.isPending && !sources.isPending) {
    known.current = tables.data?.[0]?.databaseName ?? sources.data?.[0]?.from.databaseName ?? '';
  }
  return known.current;
}

function NewSource() {
  const databaseName = useDatabase();
  return databaseName === undefined ? (
    <Skeleton lines={8} height={40} />
  ) : (
    <SourceEditor stored={undefined} databaseName={databaseName} canChange />
  );
}

function OpenSource({ id, canChange }: { id: string; canChange: boolean }) {
  const databaseName = useDatabase();
  const { data, error, refetch } = useQuery(sourceQuery(id));
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty title="There is no such source" actions={<Link to="/settings/sources">Sources</Link>}>
        Its address may be wrong, or the source was deleted.
      </Empty>
    );
  }
  if (error) {
    return (
      <Failure title="The source cannot be read" error={error} onRetry={() => void refetch()} />
    );
  }
  return data === undefined || databaseName === undefined ? (
    <Skeleton lines={8} height={40} />
  ) : (
    <SourceEditor stored={data} databaseName={databaseName} canChange={canChange} />
  );
}
