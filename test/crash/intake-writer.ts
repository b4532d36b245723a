import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { joinBlocks, otlpBlock } from './log-block.ts';

/**
 * Four senders of small blocks through the intake log, for ever. Says on
 * stdout which blocks are acknowledged; made to be killed.
 */
const [folder = '', from = '0', rows = '1'] = process.argv.slice(2);
const telemetry = await openEmbedded({
  path: `${folder}/engine`,
  databases: ['crash'],
  intakeLog: { folder: `${folder}/intake`, join: joinBlocks, limits: { delayMs: 50 } },
});
await telemetry.migrate('crash');
let next = Number(from);
process.stdout.write('ready\n');
const send = async (): Promise<never> => {
  for (;;) {
    const number = next++;
    const block = otlpBlock(number, Number(rows));
    await telemetry.insert('crash', 'otel_logs', block, { purpose: 'ingest', days: [20_412] });
    process.stdout.write(`${number}\n`);
  }
};
await Promise.all([send(), send(), send(), send()]);
