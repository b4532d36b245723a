import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Link2, Trash2, UserCog, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { membersQuery, type Member } from '../../api/queries/members.ts';
import { sessionQuery, type Session } from '../../api/queries/session.ts';
import { useRight } from '../../api/use-right.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { Notice } from '../../kit/notice.tsx';
import { Listed } from './listed.tsx';
import { AddMemberDialog, NewLinkDialog } from './member-link-dialogs.tsx';
import { RemoveDialog, RoleDialog } from './member-change-dialogs.tsx';
import { PageHead } from './page-head.tsx';
import { useTimes } from './use-times.ts';
import styles from './settings.module.css';

const route = getRouteApi('/inside/settings/members');

interface Doing {
  what: 'role' | 'link' | 'remove';
  member: Member;
}

const about =
  'People of the team. Members use and change everything of it. ' +
  'Admins also manage members, pipes and API keys.';

/** The people of the team and their roles. */
export function Members() {
  const members = useQuery(membersQuery);
  const { data: session } = useQuery(sessionQuery);
  const { new: isAdding } = route.useSearch();
  const navigate = route.useNavigate();
  const [doing, setDoing] = useState<Doing>();
  const canChange = session?.scopes.includes('members:write') === true;
  const canFinish = useRight('members:write');
  const close = (): void => setDoing(undefined);
  const add = canChange && (
    <Button
      look="primary"
      icon={<UserPlus size={14} aria-hidden />}
      onClick={() => void navigate({ search: { new: true } })}
    >
      Add member
    </Button>
  );
  return (
    <>
      <PageHead title="Members" about={about} action={add} />
      <Listed query={members} failed="The members cannot be listed">
        {(list) => (
          <div className={styles.section}>
            {session && !canChange && <AskAdmin members={list} />}
            <MemberTable
              members={list}
              session={session}
              onDo={canChange ? (what, member) => setDoing({ what, member }) : undefined}
            />
          </div>
        )}
      </Listed>
      {isAdding && canFinish && (
        <AddMemberDialog onClose={() => void navigate({ search: {}, replace: true })} />
      )}
      {doing?.what === 'link' && <NewLinkDialog member={doing.member} onClose={close} />}
      {doing?.what === 'role' && (
        <RoleDialog member={doing.member} isSelf={isSelf(doing.member, session)} onClose={close} />
      )}
      {doing?.what === 'remove' && (
        <RemoveDialog
          member={doing.member}
          isSelf={isSelf(doing.member, session)}
          onClose={close}
        />
      )}
    </>
  );
}

const isSelf = ({ id }: Member, session: Session | undefined): boolean => id === session?.user.id;

/** What a member without the right misses here, and who can help. */
function AskAdmin({ members }: { members: readonly Member[] }) {
  const admins = members.filter(({ role }) => role === 'admin');
  return (
    <Notice>
      You have the role member. Only an admin can add people, change roles, create links and remove
      people. {admins.length > 0 && `Ask ${admins.map(({ email }) => email).join(', ')}.`}
    </Notice>
  );
}

const roleName = ({ role }: Member): string => (role === 'admin' ? 'Admin' : 'Member');

interface MemberTableProps {
  members: readonly Member[];
  session: Session | undefined;
  /** Absent if the person cannot change members. */
  onDo: ((what: 'role' | 'link' | 'remove', member: Member) => void) | undefined;
}

function MemberTable({ members, session, onDo }: MemberTableProps) {
  const { day } = useTimes();
  const columns = [
    { label: 'Member' },
    { label: 'Role', isExtra: true },
    { label: 'Password', isExtra: true },
    { label: 'Added', isExtra: true },
  ];
  return (
    <ListTable
      label="Members"
      columns={onDo ? [...columns, { label: 'Actions', isActions: true }] : columns}
    >
      {members.map((member) => (
        <tr key={member.id}>
          <TitleCell
            title={
              <>
                {member.name ?? member.email}
                {isSelf(member, session) && <span className={styles.badge}>You</span>}
              </>
            }
            note={member.name === undefined ? undefined : member.email}
            smallNote={roleName(member) + (member.hasPassword ? '' : ', no password yet')}
          />
          <Cell isExtra>{roleName(member)}</Cell>
          <Cell isExtra>{member.hasPassword ? 'Set' : 'Not set'}</Cell>
          <Cell isExtra>{day(member.createdAt)}</Cell>
          {onDo && <MemberActions member={member} onDo={onDo} />}
        </tr>
      ))}
    </ListTable>
  );
}

interface MemberActionsProps {
  member: Member;
  onDo: NonNullable<MemberTableProps['onDo']>;
}

function MemberActions({ member, onDo }: MemberActionsProps) {
  const who = member.name ?? member.email;
  return (
    <ActionsCell>
      <IconButton label={`Change role of ${who}`} onClick={() => onDo('role', member)}>
        <UserCog size={16} aria-hidden />
      </IconButton>
      <IconButton label={`New link for ${who}`} onClick={() => onDo('link', member)}>
        <Link2 size={16} aria-hidden />
      </IconButton>
      <IconButton label={`Remove ${who}`} onClick={() => onDo('remove', member)}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </ActionsCell>
  );
}
