import { describe, expect, it } from 'vitest';
import type { Activity } from '../../../api/queries/organization.ts';
import {
  activitiesCsv,
  actorText,
  fileNote,
  filtersOf,
  objectText,
  outcomeText,
  savedText,
} from './model.ts';

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

  it('says that a file has only the newest', () => {
    expect(fileNote(10_000)).toBe('');
    expect(fileNote(10_001)).toBe('The CSV file has the newest 10,000 of them.');
    expect(savedText(1, 1)).toBe('1 entry saved.');
    expect(savedText(10_000, 12_345)).toBe(
      'The newest 10,000 of 12,345 entries are saved. Choose a shorter time for the others.',
    );
  });

  it.each(['=1', '+1', '-1', '@x', '\t=1', '\r=1'])(
    'has no cell that begins with %j, whoever chose the text',
    (text) => {
      const { actor, object } = activity;
      const csv = activitiesCsv([
        {
          ...activity,
          actor: { ...actor, id: text, name: text },
          object: { ...object, id: text },
          address: text,
          requestId: text,
        },
      ]);
      expect(csv.match(/(^|,)"?'/g)).toHaveLength(5);
      expect(csv).not.toMatch(/(^|,)"?[=+\-@\t\r]/);
    },
  );

  it('is a file with a column for each field, without formulas', () => {
    const [head = '', line = ''] = activitiesCsv([activity]).split('\n');
    expect(line.split(',')).toHaveLength(head.split(',').length);
    expect(line).toContain(",'=Deployments,createAlert,alert,65f0c1d2e3a4b5c6d7e8f903,");
  });
});
