import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { sql } from '../../src/sql/sql.ts';
import { childScript } from '../kit/child-script.ts';
import { Disk, diskMissing } from '../kit/disk.ts';

let disk: Disk;
beforeAll(() => {
  disk = Disk.create(512);
});
afterAll(async () => {
  await disk?.unmount();
  disk?.remove();
});

describe.skipIf(diskMissing())('a disk that loses its power just after a merge', () => {
  it(
    'has every row of the merged part, although the engine has removed the parts it replaces',
    { timeout: 120_000 },
    async () => {
      const path = join(disk.path, 'data');
      const writer = spawn(process.execPath, [childScript('merge-writer'), path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(writer, 'exit');
      await Promise.race([
        once(createInterface({ input: writer.stdout }), 'line'),
        ended.then(() => {
          throw new Error('the writer ended before the merge');
        }),
      ]);
      // A sync of any file also writes the journal, which has the removal of the replaced parts.
      writeFileSync(join(disk.path, 'journal'), 'x', { flush: true });
      writer.kill('SIGSTOP');
      disk.cut();
      writer.kill('SIGKILL');
      await ended;
      await disk.unmount();
      disk.mount();

      const telemetry = await openEmbedded({ path });
      try {
        const { rows } = await telemetry.query(
          sql`SELECT toUInt32(count()), toUInt32(uniqExact(n)) FROM shop.merged`,
          { purpose: 'admin', timeoutMs: 60_000 },
        );
        expect({ rows, broken: telemetry.engineProcess?.brokenParts }).toEqual({
          rows: [[200_000, 200_000]],
          broken: 0,
        });
      } finally {
        await telemetry.close();
      }
    },
  );
});
