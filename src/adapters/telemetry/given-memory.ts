import { freeMemory } from '../../ports/free-memory.ts';
import type { InsertOptions, RowBlock } from '../../ports/telemetry.ts';

/** Frees the memory of a block that is stored and that nobody else reads, if the caller gave it. */
export function freeGiven({ data }: RowBlock, { givesMemory = false }: InsertOptions): void {
  if (givesMemory) {
    freeMemory(Buffer.isBuffer(data) ? [data] : data);
  }
}
