import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSelect } from '../../src/core/pipes/load-select.ts';
import type { SelectBatch } from '../../src/ports/connector.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { literal, qualified, sql } from '../../src/sql/sql.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

/** What the engine reads by itself is moved into its table part by part; the engine shows a part in the new place before it hides it in the old one. */
describe('a range that is moved into its table', () => {
  let engine: TestTelemetry;
  beforeAll(async () => { engine = await openTestTelemetry(); });
  afterAll(() => engine?.close());

  const columns = [{ name: 'n', field: 'n' }, { name: 'part', field: 'part' }];
  const source = sql`(SELECT number AS n, toUInt8(number % 3) AS part FROM numbers(300))`;

  it.each([
    ['one part', [0]], ['all of them', [0, 1, 2]],
  ])('has each row once, where the process died when %s stood in both places', async (title, doubled) => {
    const [table, key] = [`moved_${title.replaceAll(' ', '_')}`, `key of ${title}`];
    await engine.command(sql`CREATE TABLE ${qualified('sightline', table)} (n UInt64, part UInt8) ENGINE = MergeTree ORDER BY n PARTITION BY part`);
    const to = { pipeId: randomUUID(), database: 'sightline', table, columns, settings: undefined, maxMemoryBytes: 0, timeoutMs: 30_000 };
    const batch: SelectBatch = { kind: 'select', partition: 'p', next: '1', source, fields: [{ name: 'n', type: 'UInt64' }, { name: 'part', type: 'UInt8' }], bytes: 1, label: 'numbers' };
    // It dies at its first move: what it was to move is in the target, and still in the stage.
    const dying: Telemetry = new Proxy(engine.telemetry, { get(target, name) {
      if (name === 'command') return async (...args: Parameters<Telemetry['command']>) => {
        const stage = /^ALTER TABLE `sightline`\.`(pipe_stage_\w+)` MOVE PARTITION/.exec(args[0].text)?.[1];
        if (stage === undefined) return target.command(...args);
        for (const part of doubled) await engine.command(sql`ALTER TABLE ${qualified('sightline', table)} ATTACH PARTITION ID ${literal(String(part))} FROM ${qualified('sightline', stage)}`);
        throw new Error('died');
      };
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? member.bind(target) as unknown : member;
    } });
    const { signal } = new AbortController();
    await expect(loadSelect(dying, to, batch, key, signal)).rejects.toThrow('died');
    expect((await engine.rows(sql`SELECT toUInt32(count()) AS rows FROM ${qualified('sightline', table)}`))[0]).toEqual({ rows: 100 * doubled.length });
    await loadSelect(engine.telemetry, to, batch, key, signal);
    expect((await engine.rows(sql`SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(n)) AS distinct FROM ${qualified('sightline', table)}`))[0]).toEqual({ rows: 300, distinct: 300 });
  });
});
