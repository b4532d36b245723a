import { describe, expect, it } from 'vitest';
import { senders, snippets } from './snippets.ts';

const target = { endpoint: 'http://127.0.0.1:4318', key: "sli_it's$5,=%" };

describe('snippets', () => {
  it.each(senders)('%s has endpoint and key', (sender) => {
    const text = snippets[sender].text({ endpoint: target.endpoint, key: 'sli_EXAMPLE-NOT-A-KEY' });
    expect(text).toContain(target.endpoint);
    expect(text).toContain('sli_EXAMPLE-NOT-A-KEY');
  });

  it('keep every character of a key through shell, headers and YAML', () => {
    expect(snippets.curl.text(target)).toContain(`-H 'authorization: Bearer sli_it'\\''s$5,=%'`);
    expect(snippets.node.text(target)).toContain(`='authorization=sli_it'\\''s%245%2C%3D%25'`);
    // The Collector reads $$ as a dollar sign.
    expect(snippets.collector.text(target)).toContain(`authorization: "Bearer sli_it's$$5,=%"`);
  });
});
