const firstMs = 250;
const lastMs = 30_000;

/** How long to wait before the `attempt`th new try (0 is the first): doubling up to half a minute, with a random part so that many do not come at once. */
export function backOffMs(attempt: number, random: number): number {
  const full = Math.min(lastMs, firstMs * 2 ** Math.min(attempt, 16));
  return Math.round(full * (0.5 + random / 2));
}
