import { definitionOf } from '../src/core/alerting/alert-definition.ts';
import { compileQuestion } from '../src/core/alerting/ask/compiled-question.ts';
import { QueryLimiter } from '../src/core/alerting/ask/query-limiter.ts';
import { buildQuestion } from '../src/core/alerting/ask/question.ts';
import { runBatch } from '../src/core/alerting/ask/run-batch.ts';
import { ShapeBook } from '../src/core/alerting/ask/shapes.ts';
import { createQuery } from '../src/core/query/index.ts';
import type {
  DocumentKind,
  JsonObject,
  StoredDocument,
} from '../src/ports/store/document-store.ts';
import { openTestTelemetry } from '../test/kit/telemetry.ts';
import {
  fillCollectorTable,
  fillWindow,
  firstMs,
  measureTicks,
  services,
  settled,
  verdict,
  type BenchAlert,
} from './alert-bench.ts';
import { DocumentsByKind } from '../src/core/alerting/documents-by-kind.ts';
import { documentBody } from '../test/kit/document-body.ts';
import { warmTick } from './warm-tick.ts';

/**
 * Alerts over a million rows in each window, everything durable. `npx tsx
 * bench/alerts.ts <part>`, parts: tick, text, mix, hundred-thousand; all of them where none is
 * named. Against Prometheus and Alertmanager: bench/prometheus.ts.
 */
const wanted = process.argv.slice(2);
const runs = (part: string): boolean => wanted.length === 0 || wanted.includes(part);
const minuteMs = 60_000;

const engine = await openTestTelemetry();
const windows = 4;
for (let window = 0; window < windows; window++) {
  await fillWindow(engine, firstMs + window * minuteMs);
}
await settled(engine);

/**
 * The same alerts, a query each, on as many connections as alerts have; nothing is stepped or
 * stored.
 */
async function oneQueryEach(
  name: string,
  alerts: BenchAlert[],
  table = 'otel_logs',
): Promise<number> {
  const { telemetry, database } = engine;
  const query = createQuery({
    telemetry,
    workspaceDatabase: () => Promise.resolve(database),
    clock: { now: Date.now },
    limits: { timeoutMs: 120_000 },
  });
  const stored = <K extends DocumentKind>(kind: K, body: JsonObject): StoredDocument<K> => ({
    kind,
    id: kind,
    workspaceId: 'w',
    version: 1,
    createdAtMs: 0,
    updatedAtMs: 0,
    body: documentBody(body),
    sealed: null,
  });
  const source = stored('source', {
    kind: 'log',
    name: 'Logs',
    from: { databaseName: database, tableName: table },
    timestampValueExpression: 'Timestamp',
    bodyExpression: 'Body',
  });
  const book = new ShapeBook();
  const all = await Promise.all(
    alerts.map(async ({ where }, index) => {
      const search = stored('savedSearch', {
        sourceId: 'source',
        where,
        whereLanguage: 'lucene',
        filters: [],
      });
      const documents = new DocumentsByKind();
      documents.put(source);
      documents.put(search);
      const definition = definitionOf(
        {
          source: 'search',
          interval: '1m',
          threshold: 1,
          thresholdType: 'above',
          savedSearchId: search.id,
        },
        { id: String(index), workspaceId: 'w', version: 1 },
      );
      return compileQuestion(
        definition.id,
        await buildQuestion(definition, {
          query,
          find: (_, kind, id) => documents.get(kind, id),
        }),
        book,
      );
    }),
  );
  const best = { ms: Infinity };
  for (let round = 0; round < 2; round++) {
    const limiter = new QueryLimiter({ total: 2, perSource: 2 });
    const window = { startMs: firstMs + round * minuteMs, endMs: firstMs + (round + 1) * minuteMs };
    const startedMs = performance.now();
    await Promise.all(
      all.map((one) =>
        limiter.run('', () =>
          runBatch(
            { kind: 'alone', sourceId: '', window, members: [{ compiled: one }] },
            { telemetry, query, limits: { timeoutMs: 120_000 } },
          ),
        ),
      ),
    );
    best.ms = Math.min(best.ms, performance.now() - startedMs);
  }
  console.log(`${name}, one query each: ${Math.round(best.ms)} ms`);
  return best.ms;
}

/** By how often a row has one: never, 50 times a million, 4,000 times a million. */
const words = {
  absent: (index: number): string => `absent${index}`,
  rare: (index: number): string => `tag${index * 7}`,
  common: (index: number): string => String(300 + index),
};
const wordAlerts = (count: number, word = words.rare): BenchAlert[] =>
  Array.from({ length: count }, (_, index) => ({ where: word(index) }));

if (runs('tick')) {
  const { ms } = await warmTick();
  verdict(
    'durable tick, 10k alerts, SQLite',
    (10_000 / ms) * 1000,
    { atLeast: 15_000 },
    ' alerts/s',
  );
}
if (runs('text')) {
  await fillCollectorTable(engine);
  await settled(engine);
  for (const [table, count, word, atLeast] of [
    ['otel_logs', 40, 'rare', 9],
    ['otel_logs', 500, 'rare', 50],
    ['collector_logs', 40, 'rare', 9],
    ['collector_logs', 500, 'rare', 50],
    ['otel_logs', 40, 'common', 1],
    ['otel_logs', 40, 'absent', 1],
    ['otel_logs', 4, 'common', 1],
    ['otel_logs', 4, 'rare', 1],
    ['otel_logs', 4, 'absent', 1],
  ] as const) {
    const name = `${count} ${word} words in ${table}`;
    const together = await measureTicks(
      name,
      engine,
      { alerts: wordAlerts(count, words[word]), table },
      windows,
    );
    const sample = Math.min(count, 40);
    // The last ones: the engine remembers where earlier conditions found nothing, and in a window
    // that is judged once nothing is remembered.
    const alone = await oneQueryEach(
      `${sample} of them`,
      wordAlerts(count, words[word]).slice(-sample),
      table,
    );
    verdict(
      `${name} against one query each${sample < count ? ` (${sample} measured, scaled)` : ''}`,
      ((alone / sample) * count) / together.ms,
      { atLeast },
      'x',
    );
  }
}
if (runs('mix')) {
  const attributes = Array.from({ length: 40 }, (_, index) => ({
    where: `LogAttributes.tenant:"${index}"`,
  }));
  const mixed = [...services(140), ...attributes, ...wordAlerts(20)];
  const hostile = Array.from({ length: 64 }, (_, index) => ({
    where:
      [
        'Body:*item*',
        `ServiceName:svc-${index}*`,
        `-SeverityText:INFO`,
        `LogAttributes.tenant:>${index}`,
        `"worker ${index}"`,
      ][index % 5]! + ` -ServiceName:"svc-${index}"`,
  }));
  for (const [name, alerts] of [
    ['mix 70/20/10', mixed],
    ['hostile mix, nothing alike', hostile],
  ] as const) {
    const together = await measureTicks(name, engine, { alerts: [...alerts] }, windows);
    verdict(
      `${name} against one query each`,
      (await oneQueryEach(name, [...alerts])) / together.ms,
      { atLeast: 1 },
      'x',
    );
  }
}
if (runs('hundred-thousand')) {
  for (const window of [1, 2]) {
    await fillWindow(engine, firstMs + window * 5 * minuteMs);
  }
  await settled(engine);
  const { ms } = await measureTicks(
    '100k alerts at 5m',
    engine,
    { alerts: services(100_000), interval: '5m' },
    3,
  );
  console.log(
    `memory: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB resident, ` +
      `${Math.round(process.memoryUsage().heapUsed / 2 ** 20)} MiB of it JavaScript, ` +
      'the embedded engine included',
  );
  verdict('100k alerts at 5m, tick of the interval', ms / 3000, { atMost: 5 }, ' %');
}
await engine.close();
