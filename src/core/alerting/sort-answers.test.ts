import { expect, it } from 'vitest';
import { documentBody } from '../../../test/kit/document-body.ts';
import type { Answer } from './decide/readings.ts';
import type { Task } from './record/recording.ts';
import { runningAlert } from './running-alert.ts';
import { sortAnswers } from './sort-answers.ts';

const alert = runningAlert(
  {
    kind: 'alert',
    id: '65f0c1d2e3a4b5c6d7e8f901',
    workspaceId: '65f0c1d2e3a4b5c6d7e8f900',
    version: 1,
    createdAtMs: 0,
    updatedAtMs: 0,
    body: documentBody({
      name: 'errors',
      source: 'search',
      interval: '1m',
      threshold: 10,
      thresholdType: 'above',
    }),
    sealed: null,
  },
  undefined,
  1,
);
const window = { startMs: 0, endMs: 60_000 };
const plan = {
  tenant: 'default',
  scans: [],
  seriesCount: 1,
  grouped: false,
  range: { fromMs: 0, toMs: 60_000 },
  bucketMs: undefined,
  ratio: false,
  volatile: false,
};
const task: Task = {
  alert,
  compiled: {
    alertId: alert.id,
    groupBy: '',
    sourceId: 'logs',
    shaped: undefined,
    question: { plan, value: 'last', counts: [true], groupBy: '', sourceId: 'logs' },
  },
  window,
  windows: [window],
  skipped: undefined,
};

it('while the answers of a query for many alerts are sorted, requests get their turn', async () => {
  const count = 1_000_000;
  const answer: Answer = { kind: 'value', value: 3 };
  let turns = 0;
  let sorting = true;
  const others = (): void => {
    turns++;
    if (sorting) {
      setImmediate(others);
    }
  };
  setImmediate(others);
  const { answered, calm, overfull } = await sortAnswers(
    Array.from({ length: count }, () => task),
    Array.from({ length: count }, () => answer),
  );
  sorting = false;
  expect(answered).toHaveLength(count);
  expect([...calm, ...overfull]).toEqual([]);
  expect(turns).toBeGreaterThan(1);
});
