import type { Page } from 'playwright-core';
import { until } from '../../../test/kit/eventually.ts';
import { callApi, sourceId } from './call-api.ts';

/** A shop whose newest row is younger has sent its past. */
const currentMs = 20_000;
const patienceMs = 240_000;

/** The shop sends its past first, from old to new. */
export async function sentUntilNow(page: Page): Promise<void> {
  const source = await sourceId(page, 'log');
  const isCurrent = async (): Promise<boolean> => {
    const endTime = Date.now();
    const range = { startTime: endTime - currentMs, endTime, limit: 1 };
    const { rows: newest } = await callApi<{ rows: unknown[] }>(page, 'POST', '/search', {
      sourceId: source,
      ...range,
    });
    return newest.length > 0;
  };
  await until('rows of now', isCurrent, patienceMs);
}
