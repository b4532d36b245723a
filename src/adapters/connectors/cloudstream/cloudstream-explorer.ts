import type { SourceRecord } from '../../../ports/batch.ts';
import { SourceFailed, type ConnectorContext } from '../../../ports/connector.ts';
import type { BeginStep, Explorer, ItemSample, SourceItems } from '../../../ports/explorer.ts';
import { batchOf } from './shard-batches.ts';
import type { Shard } from './shards.ts';
import { StreamCalls, type CloudstreamEndpoints } from './stream-calls.ts';
import { valueDecoder } from './value-decoder.ts';

const streamsMax = 1000;
const recordsMax = 100;
const shardsMax = 10;
/** A shard returns empty pages before its records if they are sparse. */
const pagesMax = 5;

/** @throws SourceFailed if the stream does not exist or is being deleted */
export async function checkStream(
  { source: { streamName, region } }: ConnectorContext<'cloudstream'>,
  calls: StreamCalls,
  signal: AbortSignal,
): Promise<void> {
  const { status } = await calls.stream(signal);
  if (status === 'DELETING') {
    throw new SourceFailed(
      `stream "${streamName}" in ${region} is being deleted. Change streamName.`,
      { problem: { reason: 'not_found', field: 'streamName' } },
    );
  }
}

/** Looks at streams by polling. Registers no consumer. */
export class CloudstreamExplorer implements Explorer {
  readonly #context: ConnectorContext<'cloudstream'>;
  readonly #calls: StreamCalls;
  readonly #endpoints: CloudstreamEndpoints;

  constructor(
    context: ConnectorContext<'cloudstream'>,
    calls: StreamCalls,
    endpoints: CloudstreamEndpoints,
  ) {
    this.#context = context;
    this.#calls = calls;
    this.#endpoints = endpoints;
  }

  async check(begin: BeginStep, signal: AbortSignal): Promise<void> {
    begin('connect', 'region');
    if (this.#context.source.streamName === '') {
      await this.#calls.streams(1, signal);
      return;
    }
    await checkStream(this.#context, this.#calls, signal);
    begin('find', 'streamName');
    const shards = await this.#calls.shards(signal);
    begin('read', 'streamName');
    for (const shard of shards.slice(0, 1)) {
      await this.#read(this.#calls, shard, 1, signal);
    }
  }

  async list(begin: BeginStep, signal: AbortSignal): Promise<SourceItems> {
    begin('connect', 'region');
    const names = (await this.#calls.streams(streamsMax + 1, signal)).toSorted();
    return {
      kind: 'streams',
      items: names.slice(0, streamsMax).map((id) => ({ id })),
      hasMore: names.length > streamsMax,
    };
  }

  async sample(
    streamName: string,
    begin: BeginStep,
    signal: AbortSignal,
  ): Promise<ItemSample | undefined> {
    begin('connect', 'region');
    const source = { ...this.#context.source, streamName };
    const calls = new StreamCalls({ ...this.#context, source }, this.#endpoints);
    try {
      const shards = await calls.shards(signal);
      begin('read', 'streamName');
      const records: SourceRecord[] = [];
      for (const shard of shards.slice(0, shardsMax)) {
        records.push(...(await this.#read(calls, shard, recordsMax - records.length, signal)));
        if (records.length >= recordsMax) {
          break;
        }
      }
      return {
        kind: 'records',
        item: { id: streamName },
        itemKind: 'streams',
        source: { streamName },
        name: streamName,
        records,
      };
    } catch (error) {
      if (error instanceof SourceFailed && error.problem?.reason === 'not_found') {
        return undefined;
      }
      throw error;
    } finally {
      calls.close();
    }
  }

  /** The oldest records of a shard. */
  async #read(
    calls: StreamCalls,
    { id }: Shard,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly SourceRecord[]> {
    let iterator = await calls.iterator(id, { kind: 'oldest' }, signal);
    for (let page = 0; page < pagesMax && iterator !== undefined; page++) {
      const response = await calls.records(iterator, signal, limit);
      const found = response?.Records ?? [];
      if (found.length > 0) {
        const decode = valueDecoder(this.#context.source.format);
        const { records } = batchOf({ stream: '', shardId: id, decode }, found, '', undefined);
        return records.map((one) => ({ ...one, position: `${id} ${one.position}` }));
      }
      iterator = response?.MillisBehindLatest === 0 ? undefined : response?.NextShardIterator;
    }
    return [];
  }
}
