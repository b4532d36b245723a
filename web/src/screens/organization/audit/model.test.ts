import { describe, expect, it } from 'vitest';
import type { Activity } from '../../../api/queries/organization.ts';
import { activitiesCsv, actorText, filtersOf, objectText, outcomeText } from './model.ts';

const activity: Activity = {
  id: '0195943a-7c51-7d3e-9a42-6f1b2c3d4e5f',
  createdAt: '2026-03-14T09:26:53.589Z',
  actor: { kind: 'key', id: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f', name: '=Deployments' },
  operation: 'createAlert',
  object: { kind: 'alert', id: '65f0c1d2e3a4b5c6d7e8f903' },
  outcome: 'success',
  count: 1,
};

describe('the audit trail', () => {
  it('asks for the last 7 days, or for what the URL says', () => {
    const nowMs = Date.parse('2026-03-14T12:00:00Z');
    expect(filtersOf({}, nowMs)).toMatchObject({
      from: '2026-03-07T12:00:00.000Z',
      to: '2026-03-14T12:00:00.000Z',
    });
    expect(
      filtersOf({ from: nowMs - 1000, to: nowMs, actor: 'user', object: 'key' }, nowMs + 5),
    ).toMatchObject({
      from: '2026-03-14T11:59:59.000Z',
      to: '2026-03-14T12:00:00.000Z',
      actorKind: 'user',
      objectKind: 'key',
    });
  });

  it('says who, what and how it ended', () => {
    expect(actorText(activity)).toBe('=Deployments');
    expect(actorText({ ...activity, actor: { kind: 'system' } })).toBe('The server');
    expect(actorText({ ...activity, actor: { kind: 'anonymous' } })).toBe('Somebody unknown');
    expect(objectText(activity)).toBe('alert 65f0c1d2e3a4b5c6d7e8f903');
    expect(outcomeText({ ...activity, outcome: 'denied', code: 'forbidden', count: 3 })).toBe(
      'denied: forbidden, 3 requests',
    );
  });

  it('is a file with a column for each field, without formulas', () => {
    const [head = '', line = ''] = activitiesCsv([activity]).split('\n');
    expect(line.split(',')).toHaveLength(head.split(',').length);
    expect(line).toContain(",'=Deployments,createAlert,alert,65f0c1d2e3a4b5c6d7e8f903,");
  });
});
