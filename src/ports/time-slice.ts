/** How long work may hold the event loop before it yields. */
const sliceMs = 10;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop, for one caller in each turn: several long pieces of
 * work in the same turn would hold it for the sum of their slices.
 */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => void setImmediate(resolve)));
  return lastTurn;
}

/** Splits long work, so that the thread goes on answering requests. */
export class TimeSlice {
  #untilMs = performance.now() + sliceMs;

  get expired(): boolean {
    return performance.now() >= this.#untilMs;
  }

  async yieldToOthers(): Promise<void> {
    await ownTurn();
    this.#untilMs = performance.now() + sliceMs;
  }
}
