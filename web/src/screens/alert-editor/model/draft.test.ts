import { describe, expect, it } from 'vitest';
import { alertIssues } from '../alert.form.ts';
import { bodyOf, draftOf, newDraft, previewOf, type AlertDraft } from './draft.ts';

const searchId = '65f0c1d2e3a4b5c6d7e8f901';
const hookId = '65f0c1d2e3a4b5c6d7e8f902';
const otherHookId = '65f0c1d2e3a4b5c6d7e8f903';
const draft: AlertDraft = { ...newDraft, savedSearchId: searchId, webhookIds: [hookId] };

describe('draft of an alert', () => {
  it('clears optional fields that are empty, and what the other source had', () => {
    const body = bodyOf({ ...draft, dashboardId: hookId, tileId: hookId, message: ' ' });
    expect(body).toMatchObject({
      savedSearchId: searchId,
      dashboardId: null,
      tileId: null,
      message: null,
      thresholdMax: null,
      renotifyInterval: null,
      channels: null,
      tags: [],
    });
  });

  it('sends the first webhook as the channel, and each tag once', () => {
    const body = bodyOf({ ...draft, webhookIds: [hookId, otherHookId], tags: 'a, b,, a ' });
    expect(body.channel).toEqual({ type: 'webhook', webhookId: hookId });
    expect(body.channels).toEqual([{ type: 'webhook', webhookId: otherHookId }]);
    expect(body.tags).toEqual(['a', 'b']);
  });

  it('comes back from a stored alert without a change', () => {
    const stored = {
      id: searchId,
      team: hookId,
      name: 'Errors',
      source: 'search' as const,
      savedSearch: searchId,
      interval: '1m',
      threshold: 0.5,
      thresholdMax: 2,
      thresholdType: 'between' as const,
      state: 'inactive' as const,
      silenced: false,
      channel: { type: 'webhook' as const, webhookId: hookId },
      channels: [{ type: 'webhook' as const, webhookId: hookId }],
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
    };
    const { webhookIds, threshold, thresholdMax } = draftOf(stored);
    expect({ webhookIds, threshold, thresholdMax }).toEqual({
      webhookIds: [hookId],
      threshold: '0.5',
      thresholdMax: '2',
    });
    expect(bodyOf(draftOf(stored))).toMatchObject({ threshold: 0.5, thresholdMax: 2 });
  });

  it('has no preview without a source, or with a text that is no number', () => {
    expect(previewOf(newDraft, 50)).toBeUndefined();
    expect(previewOf({ ...draft, threshold: 'many' }, 50)).toBeUndefined();
    expect(previewOf({ ...draft, thresholdType: 'between' }, 50)).toBeUndefined();
    expect(previewOf(draft, 20)).toMatchObject({ savedSearchId: searchId, windows: 20 });
  });
});

describe('mistakes in a draft', () => {
  const pathsOf = (part: Partial<AlertDraft>): string[] => [
    ...new Set(alertIssues({ ...draft, ...part }).map(({ path }) => path.split('.', 1)[0] ?? '')),
  ];

  it.each<[Partial<AlertDraft>, string[]]>([
    [{}, []],
    [{ threshold: '' }, ['threshold']],
    [{ threshold: 'many', interval: 'soon' }, ['threshold', 'interval']],
    [{ thresholdType: 'between', threshold: '5', thresholdMax: '4' }, ['thresholdMax']],
    [{ numConsecutiveWindows: '1.5' }, ['numConsecutiveWindows']],
    [{ webhookIds: [] }, ['webhookIds']],
    [{ savedSearchId: undefined }, ['savedSearchId']],
    [{ source: 'tile' }, ['dashboardId']],
    [{ source: 'tile', dashboardId: searchId }, ['tileId']],
    [{ tags: 'a tag that has far more characters than 32' }, ['tags']],
  ])('of %j are at %j', (part, paths) => {
    expect(pathsOf(part)).toEqual(paths);
  });
});
