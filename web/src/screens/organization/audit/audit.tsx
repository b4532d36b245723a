import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download, RefreshCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  activitiesQuery,
  newestActivities,
  type ActivityFilters,
} from '../../../api/queries/organization.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Empty, ErrorText } from '../../../kit/state.tsx';
import { TimeRangePicker } from '../../../kit/time-range-picker.tsx';
import { toast } from '../../../kit/toast.tsx';
import { useKeys } from '../../../view/keys.ts';
import { formatCount, plural } from '../../../view/number-format.ts';
import { openSink } from '../../../view/save-file.ts';
import { compact } from '../../../view/url-state.ts';
import { Loaded } from '../loaded.tsx';
import type { AuditParams, OrganizationParams } from '../params.ts';
import { ActivityTable } from './activity-table.tsx';
import { Filters } from './filters.tsx';
import { activitiesCsv, auditRange, fileMax, fileNote, filtersOf, savedText } from './model.ts';
import styles from '../organization.module.css';

const route = getRouteApi('/inside/organization');

/** Every change and every refused request, newest first. */
export function Audit() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  // When the trail was asked: the pages of a relative range must not move.
  const [atMs, setAtMs] = useState(() => Date.now());
  const filters = useMemo(() => filtersOf(params, atMs), [params, atMs]);
  const query = useInfiniteQuery(activitiesQuery(filters));
  const ask = (changes: Partial<AuditParams>): void => {
    setAtMs(Date.now());
    void navigate({
      search: (before: OrganizationParams) => compact({ ...before, ...changes }),
    });
  };
  const forget = (): void => void navigate({ search: { tab: 'audit' } });
  return (
    <>
      <div className={styles.bar}>
        <Filters params={params} onAsk={ask} />
        <Tools params={params} onAsk={ask} onAgain={() => setAtMs(Date.now())} />
      </div>
      <Loaded query={query} failed="The audit trail cannot be read">
        {({ pages }) => {
          const activities = pages.flatMap(({ items }) => items);
          const total = pages.at(-1)?.total ?? activities.length;
          return activities.length === 0 ? (
            <Empty title="Nothing happened" actions={<Button onClick={forget}>Show all</Button>}>
              No entry of the audit trail fits the time range and the filters above.
            </Empty>
          ) : (
            <>
              <Count shown={activities.length} total={total} filters={filters} />
              <ActivityTable activities={activities} onAsk={ask} />
            </>
          );
        }}
      </Loaded>
      {query.hasNextPage && (
        <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      )}
    </>
  );
}

interface ToolsProps {
  params: AuditParams;
  onAsk(changes: Partial<AuditParams>): void;
  onAgain(): void;
}

function Tools({ params, onAsk, onAgain }: ToolsProps) {
  const [isTimeOpen, setTimeOpen] = useState(false);
  const { from = auditRange.from, to = auditRange.to } = params;
  useKeys({ t: () => setTimeOpen(true), r: onAgain });
  return (
    <div className={styles.filters}>
      <TimeRangePicker
        range={{ from, to }}
        open={isTimeOpen}
        onOpenChange={setTimeOpen}
        onChange={onAsk}
      />
      <IconButton label="Read again" shortcut="r" onClick={onAgain}>
        <RefreshCw size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

interface CountProps {
  shown: number;
  total: number;
  filters: ActivityFilters;
}

/** How many entries there are, and a file of them. */
function Count({ shown, total, filters }: CountProps) {
  const { isBusy, error, run } = useAction();
  const save = async (): Promise<void> => {
    const sink = await openSink('audit-trail.csv', 'text/csv');
    if (!sink) {
      return;
    }
    try {
      const activities = await newestActivities(filters, fileMax);
      await sink.write(new TextEncoder().encode(activitiesCsv(activities)));
      await sink.close();
      toast(savedText(activities.length, total));
    } catch (failure) {
      await sink.abort();
      throw failure;
    }
  };
  return (
    <>
      <div className={styles.bar}>
        <span className={styles.quiet}>
          {formatCount(shown)} of {plural(total, 'entry', 'entries')}, newest first.{' '}
          {fileNote(total)}
        </span>
        <Button
          size="small"
          icon={<Download size={14} aria-hidden />}
          disabled={isBusy}
          onClick={() => void run(save)}
        >
          Save as CSV
        </Button>
      </div>
      <ErrorText error={error} />
    </>
  );
}
