import { expect, test } from 'vitest';
import { logs } from './logs.ts';
import { logsPerMinute, logsPerMinuteView } from './rollup.ts';
import { createTable } from './schema.ts';

test('on a cluster every table and view is made everywhere, with replicated engines that remember tokens', () => {
  const options = { clusterName: 'eu`1' };
  expect(createTable('db', logs, options).text).toContain(
    'CREATE TABLE IF NOT EXISTS `db`.`otel_logs` ON CLUSTER `eu\\`1`',
  );
  expect(createTable('db', logs, options).text).toContain('ENGINE = ReplicatedMergeTree\n');
  expect(createTable('db', logs, options).text).toContain(
    '\nreplicated_deduplication_window = 10000',
  );
  expect(createTable('db', logsPerMinute, options).text).toContain(
    'ENGINE = ReplicatedSummingMergeTree(Count)',
  );
  expect(logsPerMinuteView('db', options).text).toContain(
    '`otel_logs_1m_mv` ON CLUSTER `eu\\`1`\nTO `db`.`otel_logs_1m`',
  );
});

test('without a cluster nothing is replicated', () => {
  const { text } = createTable('db', logs, {});
  expect(text).not.toMatch(/ON CLUSTER|Replicated/);
  expect(text).toContain('\nnon_replicated_deduplication_window = 10000');
});
