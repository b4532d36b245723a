import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { logBlock } from './log-block.ts';

/**
 * Inserts blocks of log rows for ever and says on stdout which are acknowledged; made to be killed.
 */
const [path = '', from = '0', rows = '1'] = process.argv.slice(2);
const telemetry = await openEmbedded({ path });
await telemetry.migrate('crash');
for (let block = Number(from); ; block++) {
  await telemetry.insert('crash', 'otel_logs', logBlock(block, Number(rows)), {
    deduplicationToken: `block-${block}`,
  });
  process.stdout.write(`${block}\n`);
}
