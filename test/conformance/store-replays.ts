import { describe, expect, test } from 'vitest';
import { replayPartition, type PipeReplayStatus } from '../../src/ports/store/pipe-store.ts';
import { name } from './store-documents.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const asked: PipeReplayStatus = {
  state: 'Pending',
  requestedAtMs: 1_700_000_000_123,
  endedAtMs: null,
  replayed: 0,
  refused: 0,
  message: null,
};

export function replayTests(under: StoreUnderTest): void {
  describe('the replay of a pipe', () => {
    test('is what was asked for last, and nothing before', async () => {
      const pipe = name('pipe');
      expect(await under.a.pipes.askReplay('w', pipe, asked)).toBe(false);
      await under.a.pipes.insert('w', pipe);
      expect((await under.b.pipes.status('w', pipe))?.replay).toBeNull();
      expect(await under.a.pipes.askReplay('w', pipe, asked)).toBe(true);
      expect((await under.b.pipes.status('w', pipe))?.replay).toEqual(asked);
      expect(await under.b.pipes.askReplay('another', pipe, asked)).toBe(false);
    });

    test('is reported by whoever claimed its partition last, which nobody else sees', async () => {
      const pipe = name('pipe');
      await under.a.pipes.insert('w', pipe);
      await under.a.pipes.askReplay('w', pipe, asked);
      const first = await under.a.pipes.claim('w', pipe, replayPartition);
      const second = await under.b.pipes.claim('w', pipe, replayPartition);
      const running = { ...asked, state: 'Running' as const, replayed: 3 };
      expect(await under.a.pipes.reportReplay(first.claim, running)).toBe(false);
      expect(await under.b.pipes.reportReplay(second.claim, running)).toBe(true);
      expect((await under.a.pipes.status('w', pipe))?.replay).toEqual(running);
      await under.a.pipes.claim('w', pipe, '0');
      const partitions = await under.a.pipes.partitions('w', pipe);
      expect(partitions.map(({ partition }) => partition)).toEqual(['0']);
      const report = (await under.a.pipes.reports('w')).find(({ pipeId }) => pipeId === pipe);
      expect(report?.partitions.map(({ partition }) => partition)).toEqual(['0']);
      await under.a.pipes.remove('w', pipe);
      expect(await under.b.pipes.reportReplay(second.claim, running)).toBe(false);
    });
  });
}
