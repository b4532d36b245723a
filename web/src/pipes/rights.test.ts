import { describe, expect, it } from 'vitest';
import { scopesOfUser } from '../../../src/contract/people/role.ts';
import { missingReach } from './rights.ts';

const session = {
  organizationId: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f',
  serviceId: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
  role: 'member' as const,
  scopes: [...scopesOfUser('member')],
};

describe('what keeps a session from pipes', () => {
  it('is nothing for members and admins', () => {
    expect(missingReach(session)).toBeUndefined();
    expect(
      missingReach({ ...session, role: 'admin', scopes: [...scopesOfUser('admin')] }),
    ).toBeUndefined();
  });

  it('is named: the organization, the service or the right', () => {
    expect(missingReach({ ...session, organizationId: '' })).toContain('no organization');
    expect(missingReach({ ...session, serviceId: '' })).toContain('no service');
    expect(missingReach({ ...session, scopes: ['stack:read'] })).toContain(
      'no right to read pipes',
    );
  });
});
