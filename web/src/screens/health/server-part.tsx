import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/queries/session.ts';
import type { Status } from '../../api/queries/status.ts';
import { Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { Notice } from '../../kit/notice.tsx';
import { Time } from '../../kit/time.tsx';
import { formatCount } from '../../view/number-format.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatValue } from '../../view/value-format.ts';
import { formatAgo, formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import styles from './health.module.css';

type Server = NonNullable<Status['server']>;
type Node = Server['nodes'][number];
type Engine = Server['engines'][number];

/** The processes and engines, or who may see them. */
export function ServerPart({ status: { server, time } }: { status: Status }) {
  return (
    <section className={styles.section} aria-labelledby="health-server">
      <h2 id="health-server">Server</h2>
      {server ? (
        <>
          <Processes nodes={server.nodes} nowMs={Date.parse(time)} />
          <Engines engines={server.engines} />
        </>
      ) : (
        <Hidden />
      )}
    </section>
  );
}

/** What the person lacks. */
function Hidden() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Notice>
      {session?.role === 'admin'
        ? 'Only admins of the first organization of this server see its processes and engines.'
        : 'Only admins see the processes and engines of the server. Ask an admin of your team for the role.'}
    </Notice>
  );
}

function Processes({ nodes, nowMs }: { nodes: readonly Node[]; nowMs: number }) {
  const [pref] = usePref('zone');
  const zone = zoneName(pref);
  const started = (iso: string) => (
    <Time ms={Date.parse(iso)}>{formatTime(Date.parse(iso), zone, 'minute')}</Time>
  );
  return (
    <ListTable
      label="Processes"
      columns={[
        { label: 'Process' },
        { label: 'Seen' },
        { label: `Started (${zoneLabel(zone)})`, isExtra: true },
        { label: 'Memory', isExtra: true },
        { label: 'Disk free', isExtra: true },
        { label: 'Alert shards', isExtra: true },
        { label: 'Pipe readers', isExtra: true },
      ]}
    >
      {nodes.map((node) => (
        <tr key={node.id}>
          <TitleCell
            title={`${node.host}, process ${node.processId}`}
            note={`${node.version}: ${node.roles.join(', ')}`}
          />
          <Cell>
            <span className={styles.state} data-state={node.state}>
              {node.state === 'lost' ? '! Lost, ' : '● '}
              {formatAgo(Date.parse(node.lastSeenAt), nowMs)}
            </span>
          </Cell>
          <Cell isExtra>{started(node.startedAt)}</Cell>
          <Cell isExtra>{bytes(node.memoryBytes)}</Cell>
          <Cell isExtra>{node.disk ? space(node.disk) : 'No data here'}</Cell>
          <Cell isExtra>{formatCount(node.alertShards.length)}</Cell>
          <Cell isExtra>{formatCount(node.pipeReaders)}</Cell>
        </tr>
      ))}
    </ListTable>
  );
}

const unknown = 'Not known';

function Engines({ engines }: { engines: readonly Engine[] }) {
  return (
    <ListTable
      label="Telemetry engines"
      columns={[
        { label: 'Engine' },
        { label: 'Disk free' },
        { label: 'Memory', isExtra: true },
        { label: 'Parts', isExtra: true },
        { label: 'Most in a partition', isExtra: true },
        { label: 'Broken', isExtra: true },
        { label: 'Set aside', isExtra: true },
      ]}
    >
      {engines.map(({ shard, disks, memory, parts, errors }) => {
        const name = shard ?? (disks ? 'Engine' : errors.join(' '));
        const count = (figure: number | undefined): string =>
          figure === undefined ? unknown : formatCount(figure);
        return (
          <tr key={name}>
            <TitleCell title={name} />
            <Cell>
              {disks?.map((disk) => (
                <span key={disk.name} className={styles.line}>
                  {disks.length > 1 && `${disk.name}: `}
                  {space(disk)}
                </span>
              )) ?? unknown}
            </Cell>
            <Cell isExtra>{memory ? memoryText(memory) : unknown}</Cell>
            <Cell isExtra>{count(parts?.active)}</Cell>
            <Cell isExtra>{count(parts?.mostInPartition)}</Cell>
            <Cell isExtra>{count(parts?.broken)}</Cell>
            <Cell isExtra>{count(parts?.detached)}</Cell>
          </tr>
        );
      })}
    </ListTable>
  );
}

const bytes = (value: number): string => formatValue(value, { output: 'byte' });
const space = ({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): string =>
  `${bytes(freeBytes)} of ${bytes(totalBytes)}`;
const memoryText = ({ usedBytes, limitBytes }: NonNullable<Engine['memory']>): string =>
  limitBytes === undefined ? bytes(usedBytes) : `${bytes(usedBytes)} of ${bytes(limitBytes)}`;
