import { expect, test } from 'vitest';
import { effectivePipeSettings } from '../../../contract/pipe/settings.ts';
import { postgresKind } from './postgres.ts';

test('pullBatchSize says when rows are due, and four times as many may be stored at once', () => {
  const limits = postgresKind.limits(
    {
      host: 'db',
      database: 'shop',
      tableMappings: [],
      settings: { pullBatchSize: 500 },
    },
    effectivePipeSettings({}),
  );
  expect(limits).toMatchObject({ rowsMax: 500, rangeRowsMax: 2000 });
});
