const firstMs = 250;
const lastMs = 30_000;

/**
 * Time to wait before a retry (`attempt` 0 is the first), in milliseconds. It doubles up to half a
 * minute, with a random part that spreads the retries of many readers.
 */
export function backOffMs(attempt: number, random: number): number {
  const full = Math.min(lastMs, firstMs * 2 ** Math.min(attempt, 16));
  return Math.round(full * (0.5 + random / 2));
}
