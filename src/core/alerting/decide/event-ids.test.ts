import { describe, expect, it } from 'vitest';
import { eventIds } from './event-ids.ts';

const alertId = '65f0c1d2e3a4b5c6d7e8f901';
const windowEndMs = Date.parse('2026-03-14T12:10:00Z');

describe('the id of an event', () => {
  it('comes after the ids of all events of earlier windows', () => {
    const windowEnds = [windowEndMs, windowEndMs + 60_000, windowEndMs + 3_600_000];
    const ids = windowEnds.flatMap((endMs) =>
      ['[]', '["a"]', '["b"]']
        .map((group) => eventIds.event(alertId, group, endMs, 'firing'))
        .sort(),
    );
    expect(ids.toSorted()).toEqual(ids);
  });

  it('differs for every alert, group, window and state, and is the same for the same ones', () => {
    const make = (): string[] => [
      eventIds.event(alertId, '[]', windowEndMs, 'firing'),
      eventIds.event(alertId, '[]', windowEndMs, 'inactive'),
      eventIds.event(alertId, '["a"]', windowEndMs, 'firing'),
      eventIds.event(alertId, '[]', windowEndMs + 60_000, 'firing'),
      eventIds.event(alertId.replace('1', '2'), '[]', windowEndMs, 'firing'),
    ];
    const ids = make();
    expect(new Set(ids).size).toBe(ids.length);
    expect(make()).toEqual(ids);
    for (const id of ids) {
      expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
    }
  });
});
