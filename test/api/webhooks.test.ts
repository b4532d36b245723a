import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';

let api: ApiKit;
beforeAll(async () => { api = await startApi(); });
afterAll(() => api.stop());

const input = (name: string) => ({ name, service: 'generic', url: 'https://hooks.example.com/alerts' });

describe('webhooks', () => {
  it('answers the record without its write-only parts, and says who it is', async () => {
    const { status, json, headers } = await api.call('POST', '/webhooks', { body: { ...input('first'), description: 'd', headers: { 'X-Token': 'canary-1' }, queryParams: { k: 'canary-2' }, secret: 'canary-3' } });
    expect(status).toBe(200);
    expect(Object.keys(json.data).sort()).toEqual(['createdAt', 'description', 'id', 'name', 'service', 'updatedAt', 'url']);
    expect(json.data.id).toMatch(/^[0-9a-f]{24}$/);
    expect(headers.get('etag')).toBe('"1"');
    const list = await api.call('GET', '/webhooks');
    expect(list.text).not.toContain('canary');
    expect(list.json.meta).toEqual({ total: 1, limit: 1000, offset: 0 });
  });
});
