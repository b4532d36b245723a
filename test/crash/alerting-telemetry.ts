import { join } from 'node:path';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';

/** Rows in every second minute from 12:00 on, for three services. */
const telemetry = await openEmbedded({ path: join(process.argv[2] ?? '', 'engine') });
await telemetry.migrate('sightline');
const rows = ['00', '02', '04'].flatMap((minute) =>
  [0, 1, 2].map((service) =>
    JSON.stringify({
      Timestamp: `2026-03-14 12:${minute}:30`,
      ServiceName: `service-${service}`,
      Body: 'x',
    }),
  ),
);
await telemetry.insert('sightline', 'otel_logs', {
  format: 'JSONEachRow',
  columns: ['Timestamp', 'ServiceName', 'Body'],
  data: Buffer.from(rows.join('\n') + '\n'),
  rows: rows.length,
});
await telemetry.close();
