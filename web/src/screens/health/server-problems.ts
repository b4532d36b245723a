import type { FailingPart, Status } from '../../api/queries/status.ts';
import { plural } from '../../view/number-format.ts';
import { formatValue } from '../../view/value-format.ts';
import { formatAge } from '../../view/zone.ts';
import type { Problem } from './problem.ts';

type Server = NonNullable<Status['server']>;
type Node = Server['nodes'][number];
type Engine = Server['engines'][number];
interface Space {
  freeBytes: number;
  totalBytes: number;
}

const shardCount = 16;
/** Shares of a disk that are in use, and of memory. */
const tight = { warning: 0.85, error: 0.95 };
/** From here on the engine delays inserts. */
const partsMax = 1000;

/** What is wrong with processes and engines, as far as the person may see them. */
export function serverProblems(
  { server, time }: Status,
  failing: readonly FailingPart[],
): Problem[] {
  if (!server) {
    return [];
  }
  const { nodes, engines } = server;
  return [
    ...shardProblems(server),
    ...nodes.flatMap((node) => lostProblem(node, Date.parse(time))),
    ...versionProblems(nodes),
    ...nodes.flatMap((node) => nodeDiskProblem(node, engines)),
    ...engines.flatMap((engine) => engineProblems(engine, failing.includes('engine'))),
  ];
}

function shardProblems({ freeAlertShards: free }: Server): Problem[] {
  if (free.length === 0) {
    return [];
  }
  const what = free.length === shardCount ? '' : ` ${free.length} of ${shardCount} shards of`;
  return [
    {
      key: 'shards',
      level: 'error',
      title: `No process evaluates${what} alerts.`,
      text:
        'Another process takes them over within seconds. ' +
        'If this stays, start a process with the role “alerts”.',
    },
  ];
}

function lostProblem({ id, host, processId, state, lastSeenAt }: Node, nowMs: number): Problem[] {
  return state === 'running'
    ? []
    : [
        {
          key: `node ${id}`,
          level: 'warning',
          title: `The process ${processId} on ${host} was last seen ${formatAge(nowMs - Date.parse(lastSeenAt))} ago.`,
          text:
            'It was killed, or cannot reach the metadata store. ' +
            'If it is gone for good, it leaves this list an hour after it was last seen.',
        },
      ];
}

function versionProblems(nodes: readonly Node[]): Problem[] {
  const running = nodes.filter(({ state }) => state === 'running');
  const versions = [...new Set(running.map(({ version }) => version))].toSorted();
  return versions.length < 2
    ? []
    : [
        {
          key: 'versions',
          level: 'note',
          title: `Processes run different versions: ${versions.join(', ')}.`,
          text: 'Update all of them to the same version.',
        },
      ];
}

/** The disk of an embedded engine is also that of its process: it is named once. */
function nodeDiskProblem({ host, disk }: Node, engines: readonly Engine[]): Problem[] {
  const isEngines = engines.some(({ disks = [] }) =>
    disks.some(({ totalBytes }) => totalBytes === disk?.totalBytes),
  );
  return disk && !isEngines
    ? spaceProblem(`disk ${host}`, `The disk of the data directory on ${host}`, disk)
    : [];
}

function engineProblems(engine: Engine, isKnownAway: boolean): Problem[] {
  const { shard, disks = [], errors } = engine;
  const name = shard === undefined ? 'the engine' : `the shard ${shard}`;
  const key = `engine ${shard ?? errors.join()}`;
  const hasFigures = engine.disks ?? engine.memory ?? engine.parts;
  return [
    ...(isKnownAway ? [] : errors).map((error): Problem => ({
      key: `${key} ${error}`,
      level: hasFigures ? 'warning' : 'error',
      title: `Figures of ${name} are missing.`,
      text: error,
    })),
    ...disks.flatMap((disk) =>
      spaceProblem(`${key} ${disk.name}`, `The disk “${disk.name}” of ${name}`, disk),
    ),
    ...memoryProblem(engine, name),
    ...partProblems(engine, name),
  ];
}

function spaceProblem(key: string, what: string, { freeBytes, totalBytes }: Space): Problem[] {
  const used = 1 - freeBytes / totalBytes;
  return used < tight.warning
    ? []
    : [
        {
          key,
          level: used < tight.error ? 'warning' : 'error',
          title: `${what} has ${bytes(freeBytes)} of ${bytes(totalBytes)} left.`,
          text:
            'Nothing can be stored once it is full. ' +
            'Free some space, use a larger disk, or shorten the retention.',
        },
      ];
}

function memoryProblem({ shard, memory }: Engine, name: string): Problem[] {
  const { usedBytes = 0, limitBytes } = memory ?? {};
  return limitBytes === undefined || usedBytes < limitBytes * tight.error
    ? []
    : [
        {
          key: `memory ${shard ?? ''}`,
          level: 'warning',
          title: `${capitalized(name)} uses ${bytes(usedBytes)} of ${bytes(limitBytes)} memory.`,
          text: 'Queries that need more fail. Ask for shorter ranges, or give the engine more memory.',
        },
      ];
}

function partProblems({ shard = '', parts }: Engine, name: string): Problem[] {
  const { broken = 0, mostInPartition = 0 } = parts ?? {};
  return [
    ...(broken > 0
      ? [
          {
            key: `broken ${shard}`,
            level: 'error' as const,
            title: `${capitalized(name)} cannot read ${plural(broken, 'part')} of its tables.`,
            text: 'Rows are missing. The log names the tables. Restore them from a backup.',
          },
        ]
      : []),
    ...(mostInPartition >= partsMax
      ? [
          {
            key: `parts ${shard}`,
            level: 'warning' as const,
            title: `A partition of ${name} has ${plural(mostInPartition, 'part')}.`,
            text: 'Inserts are delayed until the engine has merged them. Send larger batches.',
          },
        ]
      : []),
  ];
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const bytes = (value: number): string => formatValue(value, { output: 'byte' });
