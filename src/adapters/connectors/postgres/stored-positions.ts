import type { Position } from '../../../ports/connector.ts';

/** Tells when the runner has stored a position. */
export class StoredPositions {
  readonly #waiting = new Map<string, () => void>();

  note(partition: string, position: Position): void {
    const key = JSON.stringify([partition, position]);
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
  }

  reached(partition: string, position: Position): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(JSON.stringify([partition, position]), resolve);
    });
  }
}
