import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorTableName } from '../../src/core/pipes/tables/destination-table.ts';
import { openapiDocument } from '../../src/http/openapi/document.ts';
import { referencePage } from '../../src/http/openapi/reference-page.ts';
import { managedDescription, managedRoutes } from '../../src/http/surfaces/managed.ts';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import type { ApiKit } from '../kit/api.ts';
import { openObjects, schemaCompiler, wrongExamples } from '../kit/openapi-examples.ts';
import { managedCall } from './managed-call.ts';
import { pipeSecrets } from './pipe-secrets.ts';

const document = openapiDocument(managedDescription);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

const compile = schemaCompiler(document);

let world: ApiWithEngine;
let api: ApiKit;
beforeAll(async () => {
  world = await startApiWithEngine();
  api = world.api;
});
afterAll(() => world?.stop());

describe('the OpenAPI document of the managed surface', () => {
  it('is valid OpenAPI 3.1 and served without a credential', async () => {
    const served = await api.managed.call('GET', '/openapi.json', {
      headers: { authorization: '' },
    });
    expect(served.json).toEqual(JSON.parse(JSON.stringify(document)));
    const { valid, errors } = await new Validator().validate(
      served.json as Record<string, unknown>,
    );
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect((await api.managed.call('GET', '/docs', { headers: { authorization: '' } })).text).toBe(
      referencePage(document),
    );
    expect(document.components.securitySchemes).toEqual({
      apiKey: expect.objectContaining({ type: 'http', scheme: 'basic' }),
    });
    expect(document.security).toEqual([{ apiKey: [] }]);
  });

  it('has every route with every id of its path, and every status that all can answer', () => {
    expect(operations).toHaveLength(managedRoutes.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { path, parameters = [], responses, operationId, method } of operations) {
      const inPath = (parameters as { in: string; name: string; schema: object }[]).filter(
        (parameter) => parameter.in === 'path',
      );
      expect(
        inPath.map(({ name }) => name),
        operationId,
      ).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      for (const { schema } of inPath) {
        expect(JSON.stringify(schema)).toMatch(/Uuid|ObjectId/);
      }
      const ofOneItem = /\{(id|keyId|pipeId)\}/.test(path);
      const statuses = [
        '200',
        '400',
        '401',
        '403',
        '408',
        '429',
        '431',
        '500',
        '503',
        ...(ofOneItem ? ['404'] : []),
        ...(method === 'get' ? [] : ['409', '413', '415']),
        ...(ofOneItem && method !== 'get' && method !== 'post' ? ['412'] : []),
      ];
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(statuses));
    }
  });

  it('shows an example of every body, one that the operation takes and that has no property it would refuse', () => {
    for (const [, , { name, body, example }] of managedRoutes as readonly (readonly [
      string,
      string,
      { name: string; body: z.ZodType; example?: unknown },
    ])[]) {
      if (body instanceof z.ZodUndefined) {
        continue;
      }
      expect(example, name).toBeDefined();
      expect(body.safeParse(example).error, name).toBeUndefined();
    }
  });

  it('shows an example of every answer and every failure, each as its schema says', () => {
    expect(wrongExamples(document)).toEqual([]);
  });

  it('says of every object in a body that it takes no other property, as is enforced', () => {
    for (const { operationId, requestBody } of operations) {
      expect(openObjects(document, requestBody?.['content'], operationId)).toEqual([]);
    }
    const create = compile(
      (
        document.paths['/organizations/{organizationId}/keys']!['post']!.requestBody as {
          content: { 'application/json': { schema: object } };
        }
      ).content['application/json'].schema as Record<string, unknown>,
    );
    expect([
      create({ name: 'x' }),
      create({ name: 'x', colour: 'red' }),
      create({ ipAccessList: [{ source: '::1', note: 'x' }] }),
    ]).toEqual([true, false, false]);
  });
});

describe('answers of the managed surface, held against its document', () => {
  it.each(managedRoutes.map((route) => ({ route, name: route[2].name })))(
    'what $name answers is what it says',
    async ({ route }) => {
      const [method, , operation] = route;
      const { path, options } = await managedCall(api, route);
      const { status, json, headers } = await api.managed.call(method, path, options);
      const described = operations.find(({ operationId }) => operationId === operation.name)!;
      expect(status, JSON.stringify(json)).toBe(200);
      expect((operation.result as z.ZodType).safeParse(json.result).error).toBeUndefined();
      const said = described.responses['200'] as {
        headers: object;
        content: { 'application/json': { schema: Record<string, unknown> } };
      };
      const validate = compile(said.content['application/json'].schema);
      validate(json);
      expect(validate.errors).toBeNull();
      expect(['ETag', 'X-Total-Count'].filter((name) => headers.has(name))).toEqual(
        ['ETag', 'X-Total-Count'].filter((name) => name in said.headers),
      );
    },
  );

  it('a stale If-Match is a 412 wherever it is said to be taken', async () => {
    const taking = managedRoutes.filter(([method, path]) =>
      JSON.stringify(document.paths[path]![method.toLowerCase()]!.parameters ?? []).includes(
        '"If-Match"',
      ),
    );
    expect(taking.length).toBeGreaterThan(10);
    for (const route of taking) {
      const { path, options } = await managedCall(api, route);
      expect([
        route[2].name,
        (await api.managed.call(route[0], path, { ...options, headers: { 'if-match': '"999"' } }))
          .status,
      ]).toEqual([route[2].name, 412]);
    }
  });

  it('records that a pipe could not store are answered as it says, newest first', async () => {
    const service = `/organizations/${api.managed.organizationId}/services/${api.managed.serviceId}`;
    const { json: made } = await api.managed.call('POST', `${service}/pipes`, {
      body: pipeSecrets(() => 'canary').cloudstream.body,
    });
    const lines = ['2026-11-21 10:00:00.000', '2026-11-21 10:00:01.000'].map((time, index) => ({
      pipe_id: made.result.id,
      time,
      partition: 'shard-0',
      position: String(index),
      record_time: null,
      reason: 'id: not a UInt64',
      raw: `{"id":"${'ü'.repeat(index)}"}`,
    }));
    await world.engine.insert(errorTableName('orders'), lines);
    const { status, json, headers } = await api.managed.call(
      'GET',
      `${service}/pipes/${made.result.id}/errors?limit=1`,
    );
    expect([status, headers.get('x-total-count')]).toEqual([200, '2']);
    expect(json.result).toEqual([
      {
        at: '2026-11-21T10:00:01.000Z',
        partition: 'shard-0',
        position: '1',
        reason: 'id: not a UInt64',
        raw: '{"id":"ü"}',
        replayable: false,
      },
    ]);
    const validate = compile(
      (
        operations.find(({ operationId }) => operationId === 'listPipeErrors')!.responses[
          '200'
        ] as { content: { 'application/json': { schema: Record<string, unknown> } } }
      ).content['application/json'].schema,
    );
    validate(json);
    expect(validate.errors).toBeNull();
  });
});
