import { describe, expect, it } from 'vitest';
import { senders, snippets } from './snippets.ts';

const target = {
  endpoint: 'http://127.0.0.1:4318',
  key: "sli_it's$5,=%",
  api: 'http://127.0.0.1:8080',
  organizationId: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f',
  serviceId: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
};

describe('snippets', () => {
  it.each(senders.filter((sender) => sender !== 'pipe'))('%s has endpoint and key', (sender) => {
    const text = snippets[sender].text({ ...target, key: 'sli_EXAMPLE-NOT-A-KEY' });
    expect(text).toContain(target.endpoint);
    expect(text).toContain('sli_EXAMPLE-NOT-A-KEY');
  });

  it('pipe has the ids of the team, and no key', () => {
    const text = snippets.pipe.text(target);
    const { api, organizationId, serviceId } = target;
    expect(text).toContain(
      `curl '${api}/v1/organizations/${organizationId}/services/${serviceId}/pipes'`,
    );
    expect(text).not.toContain('sli_');
  });

  it('keep every character of a key through shell, headers and YAML', () => {
    expect(snippets.curl.text(target)).toContain(`-H 'authorization: Bearer sli_it'\\''s$5,=%'`);
    expect(snippets.node.text(target)).toContain(`='authorization=sli_it'\\''s%245%2C%3D%25'`);
    // The Collector reads $$ as a dollar sign.
    expect(snippets.collector.text(target)).toContain(`authorization: "Bearer sli_it's$$5,=%"`);
  });
});
