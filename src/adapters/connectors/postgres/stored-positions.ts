import type { Position } from '../../../ports/batch.ts';

/** Lets others wait until the runner has stored a position. */
export class StoredPositions {
  readonly #waiting = new Map<string, () => void>();

  /** Reports that the runner has stored the position. */
  note(partition: string, position: Position): void {
    const key = JSON.stringify([partition, position]);
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
  }

  /** Resolves when the runner stores this very position. */
  reached(partition: string, position: Position): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(JSON.stringify([partition, position]), resolve);
    });
  }
}
