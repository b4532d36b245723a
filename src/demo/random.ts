/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** Around `median`, seldom far above it: how long things take. */
  duration(medianMs: number): number;
  pick<T>(choices: readonly T[]): T;
  whole(from: number, to: number): number;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    pick: (choices) => choices[whole(0, choices.length - 1)]!,
    // Four numbers make a bell; its exponential leans to the right.
    duration: (medianMs) => medianMs * Math.exp((next() + next() + next() + next() - 2) * 1.2),
  };
}
