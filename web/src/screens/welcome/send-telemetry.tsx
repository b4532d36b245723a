import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../../api/queries/session.ts';
import { ingestionEndpointsQuery, showIngestionKey } from '../../api/queries/team.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { copy, ErrorText, Failure } from '../../kit/state.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { senders, snippets, type Sender } from './snippets.ts';
import styles from './welcome.module.css';

const placeholder = '<ingestion key>';
const tabs = senders.map((value) => ({ value, label: snippets[value].label }));

/** Snippets that send to this server, with the key of the team. */
export function SendTelemetry({ isWaiting }: { isWaiting: boolean }) {
  const [sender, setSender] = useState<Sender>('curl');
  const { key, error, show } = useShownKey(isWaiting);
  const endpoints = useQuery(ingestionEndpointsQuery);
  const { data: session } = useQuery(sessionQuery);
  if (endpoints.error) {
    return (
      <Failure
        title="The endpoint cannot be read"
        error={endpoints.error}
        onRetry={() => void endpoints.refetch()}
      />
    );
  }
  const { label, about, text } = snippets[sender];
  const port = endpoints.data?.httpPort;
  const endpoint = `http://${location.hostname}:${port ?? 4318}`;
  const snippet = text({
    endpoint,
    key: key ?? placeholder,
    api: location.origin,
    organizationId: session?.organizationId ?? '',
    serviceId: session?.serviceId ?? '',
  });
  const hasKey = sender !== 'pipe';
  return (
    <div className={styles.senders}>
      <Tabs label="Senders" value={sender} tabs={tabs} onChange={(next) => setSender(next)}>
        <div className={styles.sender}>
          <p className={styles.about}>{about}</p>
          <pre className={styles.code} tabIndex={0} aria-label={`Snippet for ${label}`}>
            {snippet}
          </pre>
          <div className={styles.buttons}>
            {hasKey && key === undefined ? (
              <Button onClick={show}>Fill in the ingestion key</Button>
            ) : (
              <Button
                icon={<Copy size={14} aria-hidden />}
                onClick={() => void copy(snippet, 'Snippet')}
              >
                Copy
              </Button>
            )}
          </div>
          <ErrorText error={error} />
          {hasKey ? (
            <p className={styles.about}>
              If senders reach this server by another name, or through a proxy with https, change
              the address.
            </p>
          ) : (
            <p className={styles.about}>
              Or <Link to="/pipes/new">create a pipe here</Link>, step by step, from Kafka, object
              storage, Kinesis-compatible streams or PostgreSQL. The{' '}
              <a href="/v1/docs#Pipes">reference of the API</a> has every field.
            </p>
          )}
        </div>
      </Tabs>
    </div>
  );
}

/**
 * The ingestion key, read at once while the team waits for its first row, and else on request. It is
 * in the state of the component and nowhere else.
 */
function useShownKey(isWanted: boolean) {
  const [key, setKey] = useState<string>();
  const { error, run } = useAction();
  const show = (): void => void run(async () => setKey((await showIngestionKey()).key));
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    if (isWanted) {
      latest.current();
    }
  }, [isWanted]);
  return { key, error, show };
}
