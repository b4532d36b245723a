import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openapiDocument } from '../../src/http/openapi/document.ts';
import { referencePage } from '../../src/http/openapi/reference-page.ts';
import { managedDescription, managedRoutes } from '../../src/http/surfaces/managed.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { managedCall } from './managed-call.ts';

const document = openapiDocument(managedDescription);
const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })));

let api: ApiKit;
beforeAll(async () => { api = await startApi(); });
afterAll(() => api.stop());

describe('the OpenAPI document of the managed surface', () => {
  it('is valid OpenAPI 3.1 and served without a credential', async () => {
    const served = await api.managed.call('GET', '/openapi.json', { headers: { authorization: '' } });
    expect(served.json).toEqual(JSON.parse(JSON.stringify(document)));
    const { valid, errors } = await new Validator().validate(served.json as Record<string, unknown>);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect((await api.managed.call('GET', '/docs', { headers: { authorization: '' } })).text).toBe(referencePage(document));
    expect(document.components.securitySchemes).toEqual({ apiKey: expect.objectContaining({ type: 'http', scheme: 'basic' }) });
    expect(document.security).toEqual([{ apiKey: [] }]);
  });

  it('has every route with every id of its path, and every status that all can answer', () => {
    expect(operations).toHaveLength(managedRoutes.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { path, parameters = [], responses, operationId, method } of operations) {
      const inPath = (parameters as { in: string; name: string; schema: object }[]).filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name), operationId).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      for (const { schema } of inPath) expect(JSON.stringify(schema)).toMatch(/Uuid|ObjectId/);
      const statuses = ['200', '400', '401', '403', '429', '500', '503', ...(/\{(id|keyId|pipeId)\}/.test(path) ? ['404'] : []), ...(method === 'post' ? ['409', '413', '415'] : [])];
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(statuses));
    }
  });

  it('shows an example of every body, one that the operation takes and that has no property it would refuse', () => {
    for (const [, , { name, body, example }] of managedRoutes as readonly (readonly [string, string, { name: string; body: z.ZodType; example?: unknown }])[]) {
      if (body instanceof z.ZodUndefined) continue;
      expect(example, name).toBeDefined();
      expect(body.safeParse(example).error, name).toBeUndefined();
    }
  });

  it.each(managedRoutes.map((route) => ({ route, name: route[2].name })))('what $name answers is what it says', async ({ route }) => {
    const [method, , operation] = route;
    const { path, options } = await managedCall(api, route);
    const { status, json } = await api.managed.call(method, path, options);
    const described = operations.find(({ operationId }) => operationId === operation.name)!;
    expect(Object.keys(described.responses)).toContain(String(status));
    if (status !== 200) expect(['previewAlert', 'listPipeErrors']).toContain(operation.name);
    else expect((operation.result as z.ZodType).safeParse(json.result).error).toBeUndefined();
  });
});
