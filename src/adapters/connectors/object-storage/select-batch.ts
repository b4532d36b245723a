import type { ObjectFormat } from '../../../contract/pipe/object-storage.ts';
import {
  ConnectionLost,
  SourceFailed,
  type ConnectorContext,
  type SelectBatch,
  type SelectPieces,
} from '../../../ports/connector.ts';
import { EgressRefused } from '../../../ports/egress.ts';
import type { LedgerEntry, ObjectOutcome } from '../../../ports/object-ledger.ts';
import { sql } from '../../../sql/sql.ts';
import { cutOffStreams } from './cut-off-streams.ts';
import { formatOf, hasLineBreak, isZstd } from './object-format.ts';
import {
  emptyReason,
  enginePath,
  engineSettings,
  engineSource,
  type EngineRead,
} from './engine-source.ts';
import type { ObjectAddress } from './object-address.ts';
import { blameObject } from './object-errors.ts';
import { lookAgain } from './look-again.ts';
import type { NearNames } from './near-names.ts';
import type { ObjectLane } from './object-lanes.ts';
import { someOthers } from './some-others.ts';
import type { ObjectSource } from './object-source.ts';

export interface BatchOptions {
  context: ConnectorContext<'objectStorage'>;
  address: ObjectAddress;
  source: ObjectSource;
  lane: ObjectLane;
  /** Undefined: it cannot be told, and the objects are refused. */
  format: ObjectFormat | undefined;
  objects: readonly LedgerEntry[];
  /** What was listed around them. */
  near?: NearNames | undefined;
}

/** An object tried so often is given up. */
const triesMax = 5;
/** What objects may give whatever their size, and how often their size besides. Columns of one value make Parquet far smaller than its rows. */
const expansion = {
  text: { bytes: 2 ** 28, times: 200 },
  columns: { bytes: 2 ** 32, times: 2000 },
};
const unknownFormat =
  'its format cannot be told from its name: give the pipe a format, or the object an ending such as .json, .csv, .tsv, .parquet or .avro (a compression may follow)';

const lineBreak = 'its name has a line break in it, so that the engine cannot read it';
const cutOff = 'its zstd stream is cut off, or is none';

/** The objects of a batch as the engine is to read them. */
export async function selectBatch(options: BatchOptions): Promise<SelectBatch> {
  const { context, address, source, lane, objects, format = 'JSONEachRow' } = options;
  const fields = context.fields ?? [];
  const read: EngineRead = {
    address,
    endpoint: await engineEndpoint(context, address),
    credentials: await source.engineCredentials(),
    source: context.source,
    format,
    fields,
    cluster:
      context.settings['object_storage_use_cluster_function'] === true
        ? context.cluster
        : undefined,
    near: options.near,
  };
  const names = objects.map(({ name }) => name);
  return {
    kind: 'select',
    partition: lane.partition,
    next: String(lane.next),
    label: names.length === 1 ? names[0]! : `${names[0]!} and ${names.length - 1} more`,
    bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0),
    fields,
    get source() {
      return engineSource(read, names);
    },
    settings: sql`${engineSettings(read)}`,
    secrets: source.secrets,
    pieces: piecesOf(options, read),
  };
}

function piecesOf(
  { context, source, lane, objects, format, address }: BatchOptions,
  read: EngineRead,
): SelectPieces {
  const known = new Map(objects.map((object) => [object.name, object]));
  const allowed = read.format === 'Parquet' ? expansion.columns : expansion.text;
  const bytesMax = (names: readonly string[]): number =>
    allowed.bytes +
    allowed.times * names.reduce((sum, name) => sum + (known.get(name)?.bytes ?? 0), 0);
  const isLast = (name: string): boolean => (known.get(name)?.tries ?? 0) + 1 >= triesMax;
  const reason = emptyReason(read.fields, read.format);
  const batch = String(lane.next);
  /** zstd streams that were followed to their end. */
  const whole = new Set<string>();
  return {
    names: [...known.keys()],
    versioned: address.kind === 's3' && read.cluster === undefined && isSmall(objects),
    of: (names, withVersions) => engineSource(read, names, withVersions),
    pathOf: (name) => enginePath(address, name),
    bytesMax,
    ...(reason === undefined ? {} : { emptyReason: reason }),
    ...(format === undefined
      ? {
          refusal: objects.some(({ name }) => hasLineBreak(name))
            ? `${lineBreak}, or ${unknownFormat}`
            : unknownFormat,
        }
      : {}),
    async changed(names, versions, signal) {
      const isStream = (name: string): boolean =>
        isZstd(name, read.source.compression) && known.get(name)!.bytes > 0;
      // What is followed to its end afterwards must still be what was read.
      const now = new Map([
        ...versions,
        ...(await lookAgain(
          source,
          names.filter((name) => !versions.has(name) || isStream(name)),
          signal,
        )),
      ]);
      const changed = new Map<string, Pick<ObjectOutcome, 'state' | 'reason'>>();
      for (const name of names) {
        const etag = now.get(name);
        if (etag === undefined) {
          changed.set(name, { state: 'gone', reason: null });
        } else if (bare(etag) !== bare(known.get(name)?.etag ?? '')) {
          changed.set(
            name,
            isLast(name)
              ? { state: 'refused', reason: 'it is overwritten again and again while it is read' }
              : { state: 'waiting', reason: null },
          );
        }
      }
      // What was whole once is not fetched again.
      const streams = names.filter(
        (name) => isStream(name) && !changed.has(name) && !whole.has(name),
      );
      for (const name of await cutOffStreams(source, streams, signal)) {
        changed.set(name, { state: 'refused', reason: cutOff });
      }
      for (const name of streams) {
        if (!changed.has(name)) {
          whole.add(name);
        }
      }
      return changed;
    },
    others: (signal) =>
      someOthers({
        source,
        address,
        signal,
        isWanted: (object) =>
          !known.has(object.name) && formatOf(object, context.source.format) === read.format,
      }),
    blame: (error, name) => blameObject(error, bytesMax([name]), isLast(name)),
    settle: (outcomes) => lane.ledger?.settle(batch, outcomes) ?? Promise.resolve(true),
    settled: async () =>
      ((await lane.ledger?.batch(batch)) ?? []).map(({ name, state, rows, reason: why }) => ({
        name,
        state: state === 'planned' ? 'waiting' : state,
        rows,
        reason: why,
      })),
  };
}

/** Of large objects the version on every row costs more than one look at each. */
const smallBytes = 32 * 1024;
const isSmall = (objects: readonly LedgerEntry[]): boolean =>
  objects.reduce((sum, { bytes }) => sum + bytes, 0) <= objects.length * smallBytes;

/** An ETag is written with quotes or without. */
const bare = (etag: string): string => etag.replace(/^"|"$/g, '');

/**
 * Where the engine is to connect. The name is looked up and judged just before, so that a pipe whose host may not be reached says so. An engine that
 * asks the guard for no connection is given the very address that was judged, where it is plain http with the bucket in its path.
 */
async function engineEndpoint(
  { egress, engineGuarded }: ConnectorContext<'objectStorage'>,
  address: ObjectAddress,
): Promise<string> {
  const url = new URL(address.endpoint);
  const host =
    address.kind === 's3' && address.virtualHost
      ? `${address.bucket}.${url.hostname}`
      : url.hostname;
  try {
    const [first] = await egress.resolve(host);
    if (
      engineGuarded === true ||
      url.protocol !== 'http:' ||
      address.kind !== 's3' ||
      address.virtualHost
    ) {
      return address.endpoint;
    }
    return `http://${first.family === 6 ? `[${first.address}]` : first.address}${url.port === '' ? '' : `:${url.port}`}`;
  } catch (error) {
    if (error instanceof EgressRefused) {
      throw new SourceFailed(error.message, { cause: error });
    }
    throw new ConnectionLost(`the host name ${host} does not resolve just now`, { cause: error });
  }
}
