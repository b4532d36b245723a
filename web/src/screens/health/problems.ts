import type { FailingPart, Status } from '../../api/queries/status.ts';
import { errorWords } from '../../alerting/words.ts';
import { plural } from '../../view/number-format.ts';
import { formatAge } from '../../view/zone.ts';
import { levels, type Problem } from './problem.ts';
import { serverProblems } from './server-problems.ts';

/** Everything that is wrong, the worst first. Undefined: the state is not known. */
export function problemsOf(
  status: Status | undefined,
  failing: readonly FailingPart[],
): readonly Problem[] {
  const all = [
    ...failing.map(partProblem),
    ...(status
      ? [
          ...pipeProblems(status),
          ...alertProblems(status),
          ...outboxProblems(status),
          ...ingestProblems(status),
          ...serverProblems(status, failing),
        ]
      : []),
  ];
  return levels.flatMap((level) => all.filter((problem) => problem.level === level));
}

const partTexts: Readonly<Record<FailingPart, [title: string, text: string]>> = {
  store: [
    'The metadata store does not respond.',
    'Nothing can be read or changed until it does. ' +
      'Check the PostgreSQL server, or the disk of the data directory. The log has the reason.',
  ],
  engine: [
    'The telemetry engine does not respond.',
    'Charts, searches and alerts fail until it does. The log of the server has the reason.',
  ],
  disk: [
    'The disk of the data directory is full.',
    'Telemetry and changes cannot be stored. Free some space, or shorten the retention.',
  ],
};

function partProblem(part: FailingPart): Problem {
  const [title, text] = partTexts[part];
  return { key: `part ${part}`, level: 'error', title, text };
}

const pipeTitles = {
  Failed: (name: string) => `The pipe ${name} has failed.`,
  Degraded: (name: string) => `The pipe ${name} has a problem and retries.`,
  Deleting: (name: string) => `The deleted pipe ${name} cannot be removed from its source.`,
};

function pipeProblems({ pipes: { failing, failingCount } }: Status): Problem[] {
  const listed = failing.map(({ id, name, state, message }): Problem => {
    const isDeleted = state === 'Deleting';
    return {
      key: `pipe ${id}`,
      level: state === 'Failed' ? 'error' : 'warning',
      title: pipeTitles[state](quoted(name)),
      text: message === '' ? 'Its page has more.' : sentence(message),
      ...(!isDeleted && { links: [{ path: `/pipes/${id}`, label: 'Open the pipe' }] }),
    };
  });
  const more = failingCount - failing.length;
  return more > 0
    ? [
        ...listed,
        {
          key: 'pipes',
          level: 'warning',
          title: `${plural(more, 'more pipe does', 'more pipes do')} not work.`,
          text: 'The list of pipes has all of them.',
          links: [{ path: '/pipes', label: 'Open pipes' }],
        },
      ]
    : listed;
}

/** Late alerts that are named. */
const lateNamed = 5;
const veryLateSeconds = 600;

function alertProblems({ alerts }: Status): Problem[] {
  const { broken, brokenCount, late, lateCount } = alerts;
  const problems = broken.map(({ id, name, type, message }): Problem => ({
    key: `alert ${id}`,
    level: 'error',
    title: `The alert ${quoted(name)} does not work.`,
    text: `${errorWords[type]}: ${sentence(message, false)}`,
    links: [{ path: `/alerts/${id}`, label: 'Open the alert' }],
  }));
  const more = brokenCount - broken.length;
  if (more > 0) {
    problems.push({
      key: 'alerts',
      level: 'error',
      title: `${plural(more, 'more alert does', 'more alerts do')} not work.`,
      text: 'The list of alerts shows broken ones first.',
      links: [{ path: '/alerts', label: 'Open alerts' }],
    });
  }
  const [latest] = late;
  if (latest) {
    const by = formatAge(latest.lateSeconds * 1000);
    problems.push({
      key: 'late alerts',
      level: latest.lateSeconds > veryLateSeconds ? 'error' : 'warning',
      title:
        lateCount === 1
          ? `The alert ${quoted(latest.name)} is late by ${by}.`
          : `${plural(lateCount, 'alert is', 'alerts are')} late, ${quoted(latest.name)} by ${by}.`,
      text: 'No process evaluates them, or the engine is too slow. Missed windows are made up for.',
      links: late
        .slice(0, lateNamed)
        .map(({ id, name }) => ({ path: `/alerts/${id}`, label: name || unnamed })),
    });
  }
  return problems;
}

/** A notification that waits for less than this is on its way. */
const waitingMs = 120_000;

function outboxProblems({ outbox, time }: Status): Problem[] {
  return outbox.webhooks.flatMap(({ id, name, waiting, oldestAt }) => {
    const ageMs = Date.parse(time) - Date.parse(oldestAt);
    return ageMs < waitingMs
      ? []
      : {
          key: `webhook ${id}`,
          level: 'warning',
          title:
            `${plural(waiting, 'notification waits', 'notifications wait')} for the webhook ` +
            `${quoted(name)}, the oldest for ${formatAge(ageMs)}.`,
          text: 'Its receiver does not accept them. The deliveries of the webhook have the reason.',
          links: [
            {
              path: `/settings/webhooks/${id}`,
              search: { tab: 'deliveries' },
              label: 'Open the deliveries',
            },
          ],
        };
  });
}

function ingestProblems({ ingest }: Status): Problem[] {
  const { refusedRequests, rejectedRecords, lastRefusal, windowSeconds } = ingest;
  const counts = [
    ...(refusedRequests > 0 ? [plural(refusedRequests, 'request')] : []),
    ...(rejectedRecords > 0 ? [plural(rejectedRecords, 'record')] : []),
  ];
  return counts.length === 0
    ? []
    : [
        {
          key: 'ingest',
          level: 'warning',
          title: `Telemetry was refused in the last ${formatAge(windowSeconds * 1000)}: ${counts.join(' and ')}.`,
          text: lastRefusal
            ? `The sender was told: ${sentence(lastRefusal.reason, false)}`
            : 'The logs of the senders have the reason.',
        },
      ];
}

const unnamed = 'Unnamed';
const quoted = (name: string): string => `“${name.trim() === '' ? unnamed : name}”`;

/** A message of the server as a whole sentence. */
function sentence(message: string, isFirst = true): string {
  const text = message.trim();
  const begun = isFirst ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
