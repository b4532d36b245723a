import type { PipeSettings } from '../api/queries/pipes.ts';

/** Every setting in words. */
export const settingWords: Record<keyof PipeSettings, string> = {
  streaming_max_insert_wait_ms: 'Longest wait before an insert (ms)',
  object_storage_concurrency: 'Loads in parallel',
  object_storage_polling_interval_ms: 'Time between listings (ms)',
  object_storage_max_insert_bytes: 'Most bytes in an insert',
  object_storage_max_file_count: 'Most objects in an insert',
  object_storage_use_cluster_function: 'Read with all nodes of the cluster',
  engine_max_threads: 'Threads of a query',
  engine_max_insert_threads: 'Threads of an insert',
  engine_min_insert_block_size_bytes: 'Block size of an insert (bytes)',
  engine_max_download_threads: 'Threads of a download',
  engine_parallel_distributed_insert_select: 'Distributed insert (0, 1 or 2)',
  engine_parallel_view_processing: 'Materialized views in parallel',
};

/** Every field of the scaling with its bounds. */
export const scalingWords = {
  replicas: ['Replicas', 'Readers that share the source (1–40).'],
  concurrency: ['Parallel inserts', 'In one replica (0–35). 0 chooses automatically.'],
  replicaCpuMillicores: ['CPU of a replica (millicores)', 'From 125 to 2000.'],
  replicaMemoryGb: [
    'Memory of a replica (GiB)',
    'From 0.5 to 8. It limits what a replica buffers.',
  ],
} as const;
