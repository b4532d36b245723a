import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Attempts } from '../../alerting/attempts.tsx';
import { DeliveryMark } from '../../alerting/delivery-mark.tsx';
import { notificationWords } from '../../alerting/words.ts';
import { alertsQuery } from '../../api/queries/alerts.ts';
import { deliveriesQuery, type Delivery, type Webhook } from '../../api/queries/webhooks.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Empty, Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { Time } from '../../kit/time.tsx';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import { AlertLink } from './alert-links.tsx';
import styles from './webhooks.module.css';

/** Deliveries that wait are about to change; others may come. */
const refreshMs = { waiting: 3000, quiet: 30_000 };

/** What was sent to a webhook, newest first, with every attempt. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const query = useInfiniteQuery({
    ...deliveriesQuery(webhook.id),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(isPending))
        ? refreshMs.waiting
        : refreshMs.quiet,
  });
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
      <Empty title="Nothing was sent to this webhook yet">
        Notifications of alerts appear here for some days, with each attempt and its answer. Tests
        do not.
      </Empty>
    );
  }
  return (
    <div className={styles.list}>
      <LoadBar isOn={isFetching} />
      <DeliveryTable deliveries={deliveries} />
      {query.hasNextPage && (
        <Button
          className={styles.more}
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </div>
  );
}

const isPending = ({ status }: Delivery): boolean => status === 'pending';

function DeliveryTable({ deliveries }: { deliveries: readonly Delivery[] }) {
  const [pref] = usePref('zone');
  const zone = zoneName(pref);
  const { data: alerts = [] } = useQuery(alertsQuery);
  const names = new Map(alerts.map(({ id, name }) => [id, name]));
  return (
    <table className={styles.deliveries} aria-label="Deliveries">
      <thead>
        <tr>
          <th scope="col">Result</th>
          <th scope="col">Notification</th>
          <th scope="col" className={styles.extra}>
            Time ({zoneLabel(zone)})
          </th>
          <th scope="col" className={styles.extra}>
            Attempts
          </th>
        </tr>
      </thead>
      {deliveries.map((delivery) => (
        <DeliveryRows
          key={`${delivery.eventId}-${delivery.createdAt}`}
          delivery={delivery}
          alertName={names.get(delivery.alertId)}
          zone={zone}
        />
      ))}
    </table>
  );
}

interface DeliveryRowsProps {
  delivery: Delivery;
  alertName: string | undefined;
  zone: string;
}

/** A delivery, and below it its attempts if they are open. */
function DeliveryRows({ delivery, alertName, zone }: DeliveryRowsProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const atMs = Date.parse(delivery.createdAt);
  const time = formatTime(atMs, zone, 'second');
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <tbody>
      <tr>
        <td>
          <span className={styles.result}>
            <IconButton
              size="small"
              label={`Attempts of ${delivery.title}`}
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              onClick={() => setOpen(!isOpen)}
            >
              <Chevron size={14} aria-hidden />
            </IconButton>
            <DeliveryMark status={delivery.status} />
          </span>
        </td>
        <th scope="row">
          <span className={styles.title}>{delivery.title}</span>
          <span className={styles.note}>
            {notificationWords[delivery.reason]}
            {' · '}
            <AlertLink id={delivery.alertId}>{alertName ?? 'Alert'}</AlertLink>
          </span>
          <span className={styles.smallNote}>{time}</span>
        </th>
        <td className={styles.extra}>
          <Time ms={atMs}>{time}</Time>
        </td>
        <td className={styles.extra}>{delivery.attemptCount}</td>
      </tr>
      {isOpen && (
        <tr id={id} className={styles.detail}>
          <td colSpan={4}>
            <Attempts delivery={delivery} zone={zone} />
          </td>
        </tr>
      )}
    </tbody>
  );
}
