import type { CDPSession, Page } from 'playwright-core';

/** A hundred charts that fit into one window and the screen below. */
export function hundredTiles(sourceId: string): object[] {
  return Array.from({ length: 100 }, (_, index) => ({
    name: `Tile ${index}`,
    x: (index % 12) * 2,
    y: Math.floor(index / 12) * 2,
    w: 2,
    h: 2,
    config: {
      displayType: 'line',
      sourceId,
      select: [{ aggFn: 'count', where: `LogAttributes.region:eu OR "${index}"` }],
      groupBy: 'ServiceName',
    },
  }));
}

/** Waits until so many tiles have their chart. */
export function allDrawn(page: Page, count = 100): Promise<unknown> {
  return page.waitForFunction(
    (wanted) =>
      document.querySelectorAll('[aria-roledescription="chart"] canvas').length === wanted,
    count,
    { timeout: 120_000 },
  );
}

/** A figure of the browser about the page. `Performance.enable` comes first. */
export async function pageMetric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((one) => one.name === name)?.value ?? Infinity;
}
