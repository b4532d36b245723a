import { describe, expect, it } from 'vitest';
import { sourceKinds } from './registry.ts';
import { withStoredSecrets } from './stored-secrets.ts';

const { kafka, objectStorage } = sourceKinds;
const credentials = { username: 'reader', password: 'secret' };
const stored = {
  brokers: 'one:9092',
  topics: 'orders',
  authentication: 'PLAIN',
  credentials,
  schemaRegistry: { url: 'https://registry', credentials },
};
const filled = (draft: object) => withStoredSecrets(kafka, { ...draft }, stored);

describe('a draft with the secrets of a stored source', () => {
  it('gets those that it leaves out', () => {
    const draft = { brokers: 'one:9092', topics: '', schemaRegistry: { url: 'https://registry' } };
    expect(filled(draft)).toEqual({
      settings: {
        ...draft,
        credentials,
        schemaRegistry: { url: 'https://registry', credentials },
      },
      filled: ['credentials', 'schemaRegistry.credentials'],
    });
  });

  it('keeps its own, and gets none for what it does not have', () => {
    const own = { brokers: 'one:9092', topics: '', credentials: { username: 'a', password: 'b' } };
    expect(filled(own)).toEqual({ settings: own, filled: [] });
  });

  it('gets none that contradict it', () => {
    const mutual = { brokers: 'one:9092', topics: '', authentication: 'MUTUAL_TLS' };
    expect(filled(mutual)).toEqual({ settings: mutual, filled: [] });
    const role = { url: 'https://b/x/*', iamRole: 'arn:aws:iam::123456789012:role/r' };
    const key = { url: 'https://b/x/*', accessKey: { accessKeyId: 'a', secretKey: 'b' } };
    expect(withStoredSecrets(objectStorage, role, key)).toEqual({ settings: role, filled: [] });
  });

  it('gets the text that its masked text stands for', () => {
    const connectionString = 'AccountName=shop;AccountKey=c2VjcmV0';
    const blob = { containerName: 'shop', path: '*', connectionString };
    const masked = { ...blob, connectionString: 'AccountName=shop;AccountKey=***' };
    expect(withStoredSecrets(objectStorage, masked, blob).settings).toEqual(blob);
    const other = { ...blob, connectionString: 'AccountName=other;AccountKey=***' };
    expect(withStoredSecrets(objectStorage, other, blob)).toEqual({ settings: other, filled: [] });
  });
});
