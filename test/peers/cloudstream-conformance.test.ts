import { randomUUID } from 'node:crypto';
import { cloudstreamConnector } from '../../src/adapters/connectors/cloudstream/cloudstream-connector.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import type { CloudstreamSourceInput } from '../../src/contract/pipe/cloudstream.ts';
import { defaultPipeSettings } from '../../src/contract/pipe/settings.ts';
import type { Log } from '../../src/ports/ambient.ts';
import { connectorSuite, type ConnectorHarness } from '../conformance/connector-suite.ts';
import { startKinesis, testRegion, type KinesisPeer } from '../kit/kinesis.ts';

const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quiet,
};
const unknownKey = 'AKIDUNKNOWN';

function harness(extra: Partial<CloudstreamSourceInput>): ConnectorHarness {
  let peer: KinesisPeer;
  let streams = 0;
  return {
    async start() {
      peer = await startKinesis();
      // The emulator takes any credentials; the service answers this to a key it does not know.
      peer.interfere((_operation, _body, { authorization }) =>
        authorization?.includes(unknownKey) === true
          ? { status: 400, type: 'UnrecognizedClientException' }
          : undefined,
      );
    },
    stop: async () => peer?.remove(),
    cut: () => Promise.resolve(peer.cut()),
    mend: () => Promise.resolve(peer.mend()),
    async stream() {
      const streamName = `stream-${++streams}`;
      const pipeId = randomUUID();
      const secretKey = `wrong-${randomUUID()}`;
      await peer.createStream(streamName, 3);
      const make = (
        source: Partial<CloudstreamSourceInput>,
        { log = quiet, bufferBytes = 64 * 2 ** 20, purpose = 'run' as 'run' | 'sample' } = {},
      ) =>
        cloudstreamConnector({ endpoint: peer.endpoint })({
          pipeId,
          source: {
            streamName,
            region: testRegion,
            accessKey: { accessKeyId: 'AKIDREADER', secretKey: 'reader' },
            ...extra,
            ...source,
          },
          purpose,
          replica: { index: 0, count: 1 },
          bufferBytes,
          settings: defaultPipeSettings(),
          log,
          egress: egressGuard({ allow: ['127.0.0.1'] }),
          allowHttp: true,
        });
      return {
        secrets: [secretKey, unknownKey],
        produce: (values) =>
          peer.put(
            streamName,
            values.map((data, index) => ({ key: `key ${index % 60}`, data })),
          ),
        connector: (options) => make({}, options),
        refused: (log) => make({ accessKey: { accessKeyId: unknownKey, secretKey } }, { log }),
        absent: () => make({ streamName: 'not-there' }),
      };
    },
  };
}

connectorSuite('cloudstream, polled,', harness({}));
connectorSuite('cloudstream with enhanced fan-out', {
  ...harness({ useEnhancedFanOut: true }),
  pushesWhole: true,
});
