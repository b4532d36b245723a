import type { OrganizationKey } from '../../../api/queries/organization.ts';
import type { Difference } from '../../../kit/conflict.tsx';
import { formatTime } from '../../../view/zone.ts';
import { draftOf, type KeyDraft } from './key-draft.ts';
import { roleWords } from './roles.ts';

export const nameOf = ({ name }: { name: string }): string =>
  name.trim() === '' ? 'Unnamed key' : name;

export const rolesText = (roles: KeyDraft['roles']): string =>
  roles.map((role) => roleWords[role]).join(', ');

/** `Never`, or when. */
export const expiryText = (ms: number | null | undefined, zone: string): string =>
  typeof ms === 'number' ? formatTime(ms, zone, 'minute') : 'Never';

/** A key past its expiry is refused, whatever its state is. */
export function stateText({ state, expireAt }: OrganizationKey, nowMs: number): string {
  if (expireAt !== null && Date.parse(expireAt) <= nowMs) {
    return 'Expired';
  }
  return state === 'enabled' ? 'Enabled' : 'Disabled';
}

/** The fields in which a draft differs from the key as another person left it. */
export function differencesOf(theirs: OrganizationKey, mine: KeyDraft, zone: string): Difference[] {
  const stored = draftOf(theirs);
  const texts: [name: string, of: (draft: KeyDraft) => string][] = [
    ['Name', ({ name }) => name],
    ['Roles', ({ roles }) => rolesText(roles)],
    ['Expires', ({ expireAt }) => expiryText(expireAt, zone)],
    ['Addresses', ({ ipAccessList }) => ipAccessList],
  ];
  return texts
    .map(([name, of]) => ({ name, theirs: of(stored), mine: of(mine) }))
    .filter((line) => line.theirs !== line.mine);
}
