import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { Alert, VersionedAlert } from '../../api/queries/alerts.ts';
import { webhooksQuery } from '../../api/queries/webhooks.ts';
import { noDataWords, severityWords, thresholdPhrase } from '../../alerting/words.ts';
import { Button } from '../../kit/button.tsx';
import { Fact, Facts } from '../../kit/facts.tsx';
import { plural } from '../../view/number-format.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import { SubjectLink } from './status.tsx';
import type { Subject } from './subject.ts';
import { TagsDialog } from './tags-dialog.tsx';
import styles from './alert.module.css';

interface DefinitionProps {
  stored: VersionedAlert;
  subject: Subject;
}

/** Everything that the alert is told to do. */
export function Definition({ stored, subject }: DefinitionProps) {
  const { item: alert } = stored;
  const [isTagging, setTagging] = useState(false);
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const time = (iso: string): string =>
    `${formatTime(Date.parse(iso), zone, 'minute')} ${zoneLabel(zone, Date.parse(iso))}`;
  const { numConsecutiveWindows = 1, renotifyInterval, noData = 'zero', severity } = alert;
  return (
    <>
      <Facts look="wide">
        <Fact name="Evaluates">
          <SubjectLink alert={alert} subject={subject} />
        </Fact>
        <Fact name="Every">{alert.interval}, in windows of the same length (UTC)</Fact>
        <Fact name="Threshold">
          {thresholdPhrase(alert, subject.format)}
          {numConsecutiveWindows > 1 && `, ${numConsecutiveWindows} windows in a row`}
        </Fact>
        <Fact name="Groups">
          {subject.groupFields.length === 0 ? 'None' : subject.groupFields.join(', ')}
        </Fact>
        <Fact name="Without data">{noDataWords[noData]}</Fact>
        <Fact name="Notifies">
          <Webhooks alert={alert} />
        </Fact>
        <Fact name="Reminds">
          {renotifyInterval === undefined ? 'Never' : `Every ${renotifyInterval} while it fires`}
        </Fact>
        <Fact name="Severity">{severityWords[severity ?? 'critical']}</Fact>
        <Fact name="Message">
          {alert.message === undefined || alert.message === '' ? (
            'None'
          ) : (
            <span className={styles.message}>{alert.message}</span>
          )}
        </Fact>
        <Fact name="Tags">
          <span className={styles.tags}>
            {(alert.tags ?? []).map((tag) => (
              <span key={tag} className={styles.tag}>
                {tag}
              </span>
            ))}
            <Button
              size="small"
              icon={<Pencil size={12} aria-hidden />}
              onClick={() => setTagging(true)}
            >
              Change tags
            </Button>
          </span>
        </Fact>
        <Fact name="Made">{time(alert.createdAt)}</Fact>
        <Fact name="Changed">{time(alert.updatedAt)}</Fact>
      </Facts>
      {isTagging && <TagsDialog stored={stored} onClose={() => setTagging(false)} />}
    </>
  );
}

function Webhooks({ alert }: { alert: Alert }) {
  const { data } = useQuery(webhooksQuery);
  const ids = [alert.channel, ...(alert.channels ?? [])].map(({ webhookId }) => webhookId);
  const unique = [...new Set(ids)];
  if (!data) {
    return plural(unique.length, 'webhook');
  }
  return unique
    .map((id) => data.find((one) => one.id === id)?.name ?? 'a deleted webhook')
    .join(', ');
}
