import { useQuery } from '@tanstack/react-query';
import { membersQuery } from './queries/members.ts';

/** `Ask ada@example.com.`: who can do what a member cannot. Empty until it is known. */
export function useAskAdmin(): string {
  const { data: members = [] } = useQuery(membersQuery);
  const admins = members.filter(({ role }) => role === 'admin').map(({ email }) => email);
  return admins.length > 0 ? `Ask ${admins.join(', ')}.` : '';
}
