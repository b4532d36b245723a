import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { alertDeliveriesQuery, type Alert, type Delivery } from '../../api/queries/alerts.ts';
import { webhooksQuery } from '../../api/queries/webhooks.ts';
import { Attempts } from '../../alerting/attempts.tsx';
import { DeliveryMark } from '../../alerting/delivery-mark.tsx';
import { groupText, notificationWords } from '../../alerting/words.ts';
import { Button } from '../../kit/button.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { Empty, Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { Time } from '../../kit/time.tsx';
import { plural } from '../../view/number-format.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import type { AlertModel } from './model.ts';
import styles from './alert.module.css';

/** Whom the alert told what, and what they answered. */
export function Deliveries({ alert, model }: { alert: Alert; model: AlertModel }) {
  const query = useInfiniteQuery(alertDeliveriesQuery(alert.id));
  const { data, error, isFetching, refetch } = query;
  if (error && !data) {
    return (
      <Failure
        title="The deliveries cannot be listed"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return <Skeleton lines={6} height={40} />;
  }
  const deliveries = data.pages.flatMap((page) => page.deliveries);
  if (deliveries.length === 0) {
    return (
      <Empty title="Nothing was sent">
        The alert has not fired yet, something muted it, or the server no longer keeps its
        deliveries. Choose a window of the evaluations to see why.
      </Empty>
    );
  }
  return (
    <>
      <LoadBar isOn={isFetching} />
      <DeliveryTable deliveries={deliveries} onWindow={model.openWindow} />
      {query.hasNextPage && (
        <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      )}
    </>
  );
}

interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  onWindow(endMs: number): void;
}

function DeliveryTable({ deliveries, onWindow }: DeliveryTableProps) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const { data: webhooks } = useQuery(webhooksQuery);
  const [openId, setOpenId] = useState<string>();
  const nameOf = (id: string): string => webhooks?.find((one) => one.id === id)?.name ?? id;
  return (
    <ListTable
      label="Deliveries"
      columns={[
        { label: 'Notification' },
        { label: `Time (${zoneLabel(zone)})`, isExtra: true },
        { label: 'Webhook', isExtra: true },
        { label: 'Status' },
        { label: 'Attempts', isActions: true },
      ]}
    >
      {deliveries.map((delivery) => {
        const id = `${delivery.eventId} ${delivery.webhookId}`;
        return (
          <DeliveryRow
            key={id}
            delivery={delivery}
            webhook={nameOf(delivery.webhookId)}
            zone={zone}
            isOpen={id === openId}
            onToggle={() => setOpenId(id === openId ? undefined : id)}
            onWindow={onWindow}
          />
        );
      })}
    </ListTable>
  );
}

interface DeliveryRowProps {
  delivery: Delivery;
  webhook: string;
  zone: string;
  isOpen: boolean;
  onToggle(): void;
  onWindow(endMs: number): void;
}

function DeliveryRow({ delivery, webhook, zone, isOpen, onToggle, onWindow }: DeliveryRowProps) {
  const { reason, group, createdAt, status, attemptCount } = delivery;
  const ms = Date.parse(createdAt);
  const time = formatTime(ms, zone, 'second');
  const what = notificationWords[reason];
  return (
    <>
      <tr className={styles.row}>
        <TitleCell
          title={what}
          note={group.length > 0 ? groupText(group) : undefined}
          smallNote={`${time}, ${webhook}`}
        />
        <Cell isExtra>
          <Time ms={ms}>{time}</Time>
        </Cell>
        <Cell isExtra>
          <span className={styles.cut}>{webhook}</span>
        </Cell>
        <Cell>
          <DeliveryMark status={status} />
        </Cell>
        <ActionsCell>
          <Button
            size="small"
            look="plain"
            aria-expanded={isOpen}
            aria-label={`${plural(attemptCount, 'attempt')}: ${what}, ${time}`}
            onClick={onToggle}
          >
            {plural(attemptCount, 'attempt')}
            {isOpen ? <ChevronUp size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
          </Button>
        </ActionsCell>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5} className={styles.detail}>
            <Attempts delivery={delivery} zone={zone} />
            <Button size="small" onClick={() => onWindow(Date.parse(delivery.windowEnd))}>
              Why it was sent
            </Button>
          </td>
        </tr>
      )}
    </>
  );
}
