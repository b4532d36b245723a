import { ListStreamConsumersCommand, DescribeStreamSummaryCommand } from '@aws-sdk/client-kinesis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { startKinesis, testRegion, type KinesisPeer } from '../kit/kinesis.ts';
import { arrivedRows, columnsOf, pipeDrafts } from '../pipes/pipe-drafts.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const secretKey = 'a very secret key';
let peer: KinesisPeer;
let world: PipeWorld;
beforeAll(async () => {
  peer = await startKinesis();
  world = await pipeWorld({ connectors: createConnectors({ endpoint: peer.endpoint }) });
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await peer?.remove();
});
const drafts = pipeDrafts(() => world, 'cloudstream');
const source = (rest: Record<string, unknown> = {}) => ({
  region: testRegion,
  accessKey: { accessKeyId: 'AKIDTEST', secretKey },
  ...rest,
});
const issueOf = async (draft: Record<string, unknown>) => {
  const { ok, steps, issues } = await drafts.check(draft);
  expect(ok).toBe(false);
  return [steps.at(-1)?.step, issues[0]?.path, issues[0]?.reason];
};

describe('a stream that is checked', () => {
  it('names the steps that work, with a stream and without', async () => {
    await peer.createStream('checked', 2);
    expect(await drafts.check(source({ streamName: 'checked' }))).toEqual({
      ok: true,
      issues: [],
      steps: ['connect', 'find', 'read'].map((step) => ({ step, ok: true })),
    });
    expect((await drafts.check(source())).steps).toEqual([{ step: 'connect', ok: true }]);
  });

  it('names the step, the field and the reason that fail', async () => {
    const draft = source({ streamName: 'checked' });
    expect(await issueOf(source({ streamName: 'nowhere' }))).toEqual([
      'find',
      'source.cloudstream.streamName',
      'not_found',
    ]);
    const answers = [
      ['DescribeStreamSummary', 'UnrecognizedClientException'],
      ['DescribeStreamSummary', 'InvalidSignatureException'],
      ['GetRecords', 'AccessDeniedException'],
    ] as const;
    const issues = [];
    for (const [wanted, type] of answers) {
      peer.interfere((operation) => (operation === wanted ? { status: 400, type } : undefined));
      issues.push(await issueOf(draft));
    }
    peer.interfere(undefined);
    expect(issues).toEqual([
      ['connect', 'source.cloudstream.accessKey.accessKeyId', 'login_refused'],
      ['connect', 'source.cloudstream.accessKey.secretKey', 'login_refused'],
      ['read', 'source.cloudstream.streamName', 'not_permitted'],
    ]);
    expect(world.logged.join('\n')).not.toContain(secretKey);
  });
});

describe('streams that are explored', () => {
  it('lists streams, and proposes columns with which a pipe stores one as it is', async () => {
    await peer.createStream('found', 2);
    await peer.put('found', [
      { key: 'a', data: '{"id":1,"user":{"name":"Zoë"},"amount":"9.90"}' },
      { key: 'b', data: '{"id":2,"user":{"name":"Al"},"amount":"0.05"}' },
    ]);
    const { kind, items } = await drafts.list(source());
    expect([kind, items.map(({ id }) => id)]).toEqual(['streams', ['checked', 'found']]);
    const fanOut = source({ useEnhancedFanOut: true, iteratorType: 'LATEST' });
    const found = await drafts.look(fanOut, 'found');
    expect(found.records).toHaveLength(2);
    expect(columnsOf(found)).toEqual({
      id: 'Int64',
      user_name: 'String',
      amount: 'Decimal(38, 2)',
    });
    await drafts.create(source(), found, { settings: { streaming_max_insert_wait_ms: 500 } });
    expect(await arrivedRows(world, 'found', 2)).toEqual([
      { id: '1', user_name: 'Zoë', amount: '9.9' },
      { id: '2', user_name: 'Al', amount: '0.05' },
    ]);
    expect((await drafts.look(source(), 'nowhere')).issues).toEqual([
      expect.objectContaining({ path: 'item', reason: 'not_found' }),
    ]);
  });

  it('registers no consumer', async () => {
    const fanOut = source({ useEnhancedFanOut: true });
    await drafts.check({ ...fanOut, streamName: 'found' });
    await drafts.look(fanOut, 'found');
    const { StreamDescriptionSummary: summary } = await peer.client.send(
      new DescribeStreamSummaryCommand({ StreamName: 'found' }),
    );
    const { Consumers } = await peer.client.send(
      new ListStreamConsumersCommand({ StreamARN: summary?.StreamARN }),
    );
    expect(Consumers).toEqual([]);
    expect(peer.callCounts.get('RegisterStreamConsumer') ?? 0).toBe(0);
  });
});
