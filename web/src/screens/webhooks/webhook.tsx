import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { webhookQuery, type VersionedWebhook } from '../../api/queries/webhooks.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, Failure, Skeleton } from '../../kit/state.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useRecentPage } from '../../view/recent.ts';
import { hostOf, services } from '../../webhooks/services.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { PageHead } from './page-head.tsx';
import styles from './webhooks.module.css';

const route = getRouteApi('/inside/settings/webhooks/$id');

/** One webhook: its settings and its deliveries. */
export function WebhookPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(webhookQuery(id));
  if (error && !data) {
    return error instanceof ApiError && error.status === 404 ? (
      <Empty
        title="There is no such webhook"
        actions={<Link to="/settings/webhooks">Webhooks</Link>}
      >
        Somebody deleted it, or the address is wrong.
      </Empty>
    ) : (
      <Failure title="The webhook cannot be shown" error={error} onRetry={() => void refetch()} />
    );
  }
  return data ? <Shown key={id} stored={data} /> : <Skeleton lines={8} height={40} />;
}

const tabs = [
  { value: 'settings', label: 'Settings' },
  { value: 'deliveries', label: 'Deliveries' },
] as const;

function Shown({ stored }: { stored: VersionedWebhook }) {
  const { item } = stored;
  const { tab = 'settings' } = route.useSearch();
  const navigate = useNavigate();
  const [isLeaving, setLeaving] = useState(false);
  // The version that the form began with: a later one of somebody else is a conflict. Each save
  // begins a new form.
  const [form, setForm] = useState({ round: 0, stored });
  useRecentPage(item.name);
  return (
    <>
      <PageHead
        title={item.name}
        about={`${services[item.service].label} · ${hostOf(item)}`}
        action={
          <Button icon={<Trash2 size={14} aria-hidden />} onClick={() => setLeaving(true)}>
            Delete…
          </Button>
        }
      />
      <div className={styles.tabs}>
        <Tabs
          label="Webhook"
          value={tab}
          tabs={tabs}
          onChange={(next) =>
            void navigate({
              to: '/settings/webhooks/$id',
              params: { id: item.id },
              search: next === 'settings' ? {} : { tab: next },
              replace: true,
            })
          }
        >
          {tab === 'deliveries' ? (
            <Deliveries webhook={item} />
          ) : (
            <EditWebhook
              key={form.round}
              stored={form.stored}
              onNew={(next) => setForm({ round: form.round + 1, stored: next })}
            />
          )}
        </Tabs>
      </div>
      {isLeaving && (
        <DeleteDialog
          webhook={item}
          onDeleted={() => void navigate({ to: '/settings/webhooks', ignoreBlocker: true })}
          onClose={() => setLeaving(false)}
        />
      )}
    </>
  );
}
