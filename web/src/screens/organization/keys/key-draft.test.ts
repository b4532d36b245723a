import { describe, expect, it } from 'vitest';
import type { OrganizationKey } from '../../../api/queries/organization.ts';
import { bodyOf, draftOf, isSame, newDraft } from './key-draft.ts';
import { keyIssues } from './key.form.ts';

const key: OrganizationKey = {
  id: '5d2f8a1c-6b7e-4f90-a1c2-d3e4f5061728',
  name: 'Deployments',
  state: 'enabled',
  roles: ['developer', 'admin'],
  keySuffix: 'Zk3f',
  createdAt: '2026-03-14T09:26:53.589Z',
  expireAt: '2027-01-01T00:00:00.000Z',
  ipAccessList: [
    { source: '203.0.113.0/24', description: 'Office of Lisbon' },
    { source: '2001:db8::1' },
  ],
};

describe('the form of a key', () => {
  it('shows a key, and sends it back unchanged', () => {
    const draft = draftOf(key);
    expect(draft.ipAccessList).toBe('203.0.113.0/24 Office of Lisbon\n2001:db8::1');
    const { name, roles, expireAt, ipAccessList } = key;
    expect(bodyOf(draft)).toEqual({ name, roles, expireAt, ipAccessList });
    expect(keyIssues(draft)).toEqual([]);
    expect(isSame(draft, draftOf(key))).toBe(true);
    expect(isSame(draft, { ...draft, expireAt: null })).toBe(false);
  });

  it('sends a key that never expires and that every address can use', () => {
    expect(bodyOf({ ...newDraft, name: ' CI ' })).toEqual({
      name: 'CI',
      roles: ['developer'],
      expireAt: null,
      ipAccessList: [],
    });
  });

  it('has its mistakes at its fields, and quotes the address', () => {
    const draft = {
      name: ' ',
      roles: [],
      expireAt: undefined,
      ipAccessList: '203.0.113.7\n\n 300.1.1.1 Office',
    };
    const found = new Map(keyIssues(draft).map(({ path, message }) => [path, message]));
    expect([...found.keys()].toSorted()).toEqual(['expireAt', 'ipAccessList', 'name', 'roles']);
    expect(found.get('ipAccessList')).toMatch(/^“300\.1\.1\.1”: must be an IPv4/);
  });
});
