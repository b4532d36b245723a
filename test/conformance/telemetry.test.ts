import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { telemetrySuite } from './telemetry-suite.ts';

const single = { width: 1, queueLimit: 10 };

telemetrySuite('embedded', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sightline-telemetry-'));
  const telemetry = await openEmbedded({
    path: join(directory, 'engine'),
    limits: { chart: single, admin: single },
  });
  return {
    telemetry,
    async close() {
      await telemetry.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
});
