import { isIP } from 'node:net';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { openapiDocument, type OpenapiOperation } from '../../src/http/openapi/document.ts';
import type { JsonSchema, SurfaceDescription } from '../../src/http/surface.ts';
import { http, type HttpAnswer } from './http.ts';
import { RandomInput } from './random-input.ts';

export interface FuzzOptions {
  description: SurfaceDescription;
  url: string;
  headers: Record<string, string>;
  /** Values of the ids that authentication looks at. */
  params?: Record<string, string>;
  /** What was made before, to be found by chance: objects of the stack, and pipes. */
  existing?: { ids: readonly string[]; pipes: readonly string[] };
  inputs: number;
  seed: number;
}

interface Target {
  method: string;
  path: string;
  operation: OpenapiOperation;
  success: ValidateFunction;
}

/**
 * Calls every operation of a surface with inputs made from its own OpenAPI document. Fails on a
 * 5xx, on a status that the document does not have, on an answer that is not what the document
 * says, and on one that takes longer than ten seconds.
 */
export async function fuzzSurface({
  description,
  url,
  headers,
  params = {},
  existing,
  inputs,
  seed,
}: FuzzOptions): Promise<Record<string, number>> {
  const document = openapiDocument(description);
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  formats.default(ajv);
  for (const [name, version] of [
    ['cidrv4', 4],
    ['cidrv6', 6],
  ] as const) {
    ajv.addFormat(name, (text: string) => isIP(text.slice(0, text.indexOf('/'))) === version);
  }
  const compile = (schema: JsonSchema): ValidateFunction =>
    ajv.compile({ ...schema, components: document.components });
  const targets: Target[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      success: compile(jsonSchemaOf(operation) ?? {}),
    })),
  );
  const failure = compile(document.components.schemas['Error']!);
  const random = new RandomInput(document, seed);
  const statuses: Record<string, number> = {};

  const known = new KnownIds(existing?.pipes);
  random.ids.push(...(existing?.ids ?? []));
  for (let input = 0; input < inputs; input++) {
    const target = random.pick(targets);
    const call = request(target, random, { ...known.some(random), ...params });
    const label = `input ${input} (seed ${seed}): ${target.method} ${call.path} ${(call.body ?? '').slice(0, 2000)}`;
    const answer = await http(target.method, url + description.basePath + call.path, {
      headers: { ...headers, ...call.headers },
      ...(call.body !== undefined && { body: call.body }),
      signal: AbortSignal.timeout(10_000),
    });
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    check(answer, target, failure, label);
    if (answer.status === 200 && jsonSchemaOf(target.operation)) {
      known.remember(random, target, answer);
    }
  }
  return statuses;
}

/** Schema of a success; undefined if it is a file. */
function jsonSchemaOf({ responses }: OpenapiOperation): JsonSchema | undefined {
  const { content } = responses['200'] as { content: Record<string, { schema: JsonSchema }> };
  return content['application/json']?.schema;
}

function check(
  answer: HttpAnswer,
  { operation, success }: Target,
  failure: ValidateFunction,
  label: string,
): void {
  if (answer.status >= 500) {
    throw new Error(`${answer.status} ${answer.text} for ${label}`);
  }
  const documented = new Set([...Object.keys(operation.responses), '400', '404', '405']);
  expect(documented, `${answer.text} for ${label}`).toContain(String(answer.status));
  const validate = answer.status === 200 ? success : failure;
  const isFile = answer.status === 200 && jsonSchemaOf(operation) === undefined;
  const fits: boolean = validate(isFile ? answer.text : answer.json);
  if (!fits) {
    throw new Error(
      `${JSON.stringify(validate.errors)} in ${answer.text.slice(0, 2000)} for ${label}`,
    );
  }
  if (answer.status === 400 && answer.json.errors) {
    for (const { message } of answer.json.errors) {
      expect(message).not.toMatch(/undefined|\[object/);
    }
  }
}

function request(
  { method, path, operation }: Target,
  random: RandomInput,
  params: Record<string, string>,
): { path: string; headers: Record<string, string>; body: string | undefined } {
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_whole, name: string) =>
      params[name] ??
      encodeURIComponent(
        random.chance(0.03)
          ? random.pick(['x', '%', '...', ' ', '\u0000', 'a'.repeat(3000)])
          : random.id(),
      ),
  );
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter['in'] === 'query' && random.chance(0.3))
    .map((parameter) => {
      const json = JSON.stringify(random.value(parameter['schema'] as JsonSchema)) ?? '';
      const value = json.replace(/^"|"$/g, '').toWellFormed().slice(0, 2000);
      return `${String(parameter['name'])}=${encodeURIComponent(value)}`;
    });
  const headers: Record<string, string> = {};
  if (method === 'POST' && random.chance(0.1)) {
    headers['idempotency-key'] = random.pick(['a', 'b', 'c', 'x'.repeat(300), 'k e y']);
  }
  if (method !== 'POST' && random.chance(0.15)) {
    headers['if-match'] = random.pick([
      '*',
      '"1"',
      '"2"',
      'W/"1"',
      '"',
      '1, 2',
      '"999999999999999999999"',
    ]);
  }
  const schema = (
    operation.requestBody as { content: { 'application/json': { schema: JsonSchema } } } | undefined
  )?.content['application/json'].schema;
  const body = schema ? JSON.stringify(random.value(schema)) : undefined;
  return {
    path: filled + (query.length > 0 ? `?${query.join('&')}` : ''),
    headers,
    body:
      body !== undefined && random.chance(0.02) ? body.slice(0, Math.floor(body.length / 2)) : body,
  };
}

/** What was created, or is listed, can be found again. */
class KnownIds {
  readonly #pipes: string[];
  /** Only keys that were made here: the caller goes on to need its own. */
  readonly #keys: string[] = [];

  constructor(pipes: readonly string[] = []) {
    this.#pipes = [...pipes];
  }

  /** Mostly one that exists. */
  some(random: RandomInput): Record<string, string> {
    const one = (ids: readonly string[], name: string): Record<string, string> =>
      ids.length > 0 && random.chance(0.8) ? { [name]: random.pick(ids) } : {};
    return { ...one(this.#pipes, 'pipeId'), ...one(this.#keys, 'keyId') };
  }

  remember(random: RandomInput, { method, path }: Target, answer: HttpAnswer): void {
    if (method !== 'POST' && method !== 'GET') {
      return;
    }
    const data = (answer.json.data ?? answer.json.result) as unknown;
    for (const item of [data].flat()) {
      const {
        id,
        tiles = [],
        key,
      } = (item ?? {}) as { id?: string; tiles?: { id: string }[]; key?: { id: string } };
      if (method === 'POST' && key !== undefined) {
        this.#keys.push(key.id);
      } else if (id !== undefined && path.endsWith('/pipes')) {
        this.#pipes.push(id);
      } else if (id !== undefined && /^[0-9a-f]{24}$/.test(id)) {
        random.ids.push(id, ...tiles.slice(0, 2).map((tile) => tile.id));
      }
    }
    for (const ids of [random.ids, this.#pipes, this.#keys]) {
      if (ids.length > 300) {
        ids.splice(0, 100);
      }
    }
  }
}
