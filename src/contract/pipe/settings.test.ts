import { describe, expect, it } from 'vitest';
import {
  defaultPipeSettings,
  effectivePipeSettings,
  mergePipeSettings,
  PipeScalingInput,
  pipeSettingBounds,
  PipeSettingsInput,
} from './settings.ts';

describe('pipe settings', () => {
  it.each(Object.entries(pipeSettingBounds))(
    '%s is taken at both bounds and refused beyond them',
    (name, { min, max }) => {
      const accepts = (value: unknown): boolean =>
        PipeSettingsInput.safeParse({ [name]: value }).success;
      expect([min, max, null].map(accepts)).toEqual([true, true, true]);
      expect([min - 1, max + 1, min + 0.5, String(min), Number.NaN].map(accepts)).toEqual([
        false,
        false,
        false,
        false,
        false,
      ]);
    },
  );

  it('are the defaults where nothing is sent, keep what is stored, and return to the default on null', () => {
    expect(defaultPipeSettings()).toEqual({
      streaming_max_insert_wait_ms: 5000,
      object_storage_concurrency: 1,
      object_storage_polling_interval_ms: 30000,
      object_storage_max_insert_bytes: 10737418240,
      object_storage_max_file_count: 100,
      engine_max_threads: 0,
      engine_max_insert_threads: 1,
      engine_min_insert_block_size_bytes: 1073741824,
      engine_max_download_threads: 4,
      engine_parallel_distributed_insert_select: 2,
      object_storage_use_cluster_function: true,
      engine_parallel_view_processing: false,
    });
    const stored = mergePipeSettings({ streaming_max_insert_wait_ms: 600, engine_max_threads: 3 });
    const merged = mergePipeSettings({ streaming_max_insert_wait_ms: null }, stored);
    expect(merged).toEqual({ engine_max_threads: 3 });
    expect(effectivePipeSettings(merged)).toEqual({
      ...defaultPipeSettings(),
      engine_max_threads: 3,
    });
  });

  it.each<[object, boolean]>([
    [{ replicas: 1 }, true],
    [{ replicas: 40 }, true],
    [{ replicas: 0 }, false],
    [{ replicas: 41 }, false],
    [{ replicas: 1.5 }, false],
    [{ concurrency: 0 }, true],
    [{ concurrency: 36 }, false],
    [{ replicaCpuMillicores: 124 }, false],
    [{ replicaCpuMillicores: 2000 }, true],
    [{ replicaMemoryGb: 0.5 }, true],
    [{ replicaMemoryGb: 0.75 }, true],
    [{ replicaMemoryGb: 8.1 }, false],
  ])('scaling %j: accepted is %s', (scaling, accepted) => {
    expect(PipeScalingInput.safeParse(scaling).success).toBe(accepted);
  });
});
