import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { DeliveryMark } from '../../alerting/delivery-mark.tsx';
import { alertsQuery, type Alert } from '../../api/queries/alerts.ts';
import {
  lastDeliveryQuery,
  testWebhook,
  webhooksQuery,
  type Webhook,
} from '../../api/queries/webhooks.ts';
import { IconButton } from '../../kit/button.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { Empty, Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { toast } from '../../kit/toast.tsx';
import { plural } from '../../view/number-format.ts';
import { formatAgo } from '../../view/zone.ts';
import { useTitle } from '../../view/use-title.ts';
import { hostOf, services } from '../../webhooks/services.ts';
import { testText } from '../../webhooks/test-text.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { usersOf } from './users.ts';
import styles from './webhooks.module.css';

/** The receivers of notifications. */
export function Webhooks() {
  useTitle('Webhooks');
  const { data, error, isFetching, refetch } = useQuery(webhooksQuery);
  return (
    <>
      <header className={styles.head}>
        <div className={styles.headText}>
          <h1>Webhooks</h1>
          <p className={styles.about}>Where alerts send their notifications.</p>
        </div>
        <NewLink />
      </header>
      <Listed webhooks={data} error={error} isFetching={isFetching} retry={() => void refetch()} />
    </>
  );
}

function NewLink() {
  return (
    <Link to="/settings/webhooks/new" className={styles.newLink}>
      <Plus size={14} aria-hidden />
      New webhook
    </Link>
  );
}

interface ListedProps {
  webhooks: readonly Webhook[] | undefined;
  error: Error | null;
  isFetching: boolean;
  retry(): void;
}

function Listed({ webhooks, error, isFetching, retry }: ListedProps) {
  if (error && !webhooks) {
    return <Failure title="The webhooks cannot be listed" error={error} onRetry={retry} />;
  }
  if (!webhooks) {
    return <Skeleton lines={4} height={44} />;
  }
  if (webhooks.length === 0) {
    return (
      <Empty title="There is no webhook yet" actions={<NewLink />}>
        A webhook sends the notifications of alerts to Slack, PagerDuty, incident.io or a receiver
        of your own.
      </Empty>
    );
  }
  return (
    <div className={styles.list}>
      <LoadBar isOn={isFetching} />
      <WebhookTable webhooks={webhooks} />
    </div>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const { data: alerts } = useQuery(alertsQuery);
  const [leaving, setLeaving] = useState<Webhook>();
  return (
    <>
      <ListTable
        label="Webhooks"
        columns={[
          { label: 'Name' },
          { label: 'Service', isExtra: true },
          { label: 'Last delivery', isExtra: true },
          { label: 'Used by', isExtra: true },
          { label: 'Actions', isActions: true },
        ]}
      >
        {webhooks.map((webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            alerts={alerts}
            onDelete={() => setLeaving(webhook)}
          />
        ))}
      </ListTable>
      {leaving && <DeleteDialog webhook={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

interface RowProps {
  webhook: Webhook;
  alerts: readonly Alert[] | undefined;
  onDelete(): void;
}

function WebhookRow({ webhook, alerts, onDelete }: RowProps) {
  const { id, name, service, description } = webhook;
  const used = alerts && usersOf(id, alerts).length;
  return (
    <tr>
      <TitleCell
        title={
          <Link to="/settings/webhooks/$id" params={{ id }}>
            {name}
          </Link>
        }
        note={description ?? hostOf(webhook)}
        smallNote={
          <>
            {services[service].label} · <LastDelivery id={id} />
          </>
        }
      />
      <Cell isExtra>{services[service].label}</Cell>
      <Cell isExtra>
        <LastDelivery id={id} />
      </Cell>
      <Cell isExtra>{used === undefined ? '' : usedText(used)}</Cell>
      <ActionsCell>
        <TestButton webhook={webhook} />
        <IconButton label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </ActionsCell>
    </tr>
  );
}

const usedText = (count: number): string => (count === 0 ? 'No alert' : plural(count, 'alert'));

function LastDelivery({ id }: { id: string }) {
  const { data, error } = useQuery(lastDeliveryQuery(id));
  if (error) {
    return <span className={styles.muted}>Not known</span>;
  }
  if (data === undefined) {
    return null;
  }
  return data === null ? (
    <span className={styles.muted}>None yet</span>
  ) : (
    <Link
      to="/settings/webhooks/$id"
      params={{ id }}
      search={{ tab: 'deliveries' }}
      className={styles.last}
    >
      <DeliveryMark status={data.status} /> {formatAgo(Date.parse(data.createdAt))}
    </Link>
  );
}

function TestButton({ webhook: { id, name } }: { webhook: Webhook }) {
  const [isBusy, setBusy] = useState(false);
  const test = async (): Promise<void> => {
    setBusy(true);
    try {
      const result = await testWebhook(id);
      toast(`${name}: ${testText(result)}`, result.delivered ? 'note' : 'error');
    } catch (error) {
      toast(`${name}: ${error instanceof Error ? error.message : 'not sent'}`, 'error');
    } finally {
      setBusy(false);
    }
  };
  return (
    <IconButton label={`Send a test to ${name}`} disabled={isBusy} onClick={() => void test()}>
      <Send size={16} aria-hidden />
    </IconButton>
  );
}
