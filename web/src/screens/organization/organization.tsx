import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useAskAdmin } from '../../api/ask-admin.ts';
import { organizationQuery, renameOrganization } from '../../api/queries/organization.ts';
import { useRight } from '../../api/use-right.ts';
import { IconButton } from '../../kit/button.tsx';
import { Empty } from '../../kit/state.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { toast } from '../../kit/toast.tsx';
import { useTitle } from '../../view/use-title.ts';
import { Audit } from './audit/audit.tsx';
import { Keys } from './keys/keys.tsx';
import { NameDialog } from './name-dialog.tsx';
import type { OrganizationTab } from './params.ts';
import { Services } from './services.tsx';
import styles from './organization.module.css';

const route = getRouteApi('/inside/organization');
const tabs: readonly { value: OrganizationTab; label: string }[] = [
  { value: 'services', label: 'Services' },
  { value: 'keys', label: 'API keys' },
  { value: 'audit', label: 'Audit trail' },
];

/** What belongs to the organization: its services, the keys of programs and the audit trail. */
export function Organization() {
  useTitle('Organization');
  const { tab = 'services' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: organization } = useQuery(organizationQuery);
  const canRename = useRight('organization:write');
  const canReadKeys = useRight('keys:read');
  const canAudit = useRight('audit:read');
  const show = (next: OrganizationTab): void =>
    void navigate({ search: next === 'services' ? {} : { tab: next } });
  return (
    <div className={styles.page}>
      <header>
        <h1>Organization</h1>
        {organization && <Name name={organization.name} canChange={canRename} />}
      </header>
      <div className={styles.tabs}>
        <Tabs label="Parts" value={tab} tabs={tabs} onChange={show}>
          <div className={styles.tab}>
            {tab === 'services' && <Services />}
            {tab === 'keys' && (canReadKeys ? <Keys /> : <Missing what="API keys" />)}
            {tab === 'audit' && (canAudit ? <Audit /> : <Missing what="the audit trail" />)}
          </div>
        </Tabs>
      </div>
    </div>
  );
}

function Name({ name, canChange }: { name: string; canChange: boolean }) {
  const [isRenaming, setRenaming] = useState(false);
  const close = (): void => setRenaming(false);
  return (
    <div className={styles.name}>
      <span>{name}</span>
      {canChange && (
        <IconButton label="Rename the organization" size="small" onClick={() => setRenaming(true)}>
          <Pencil size={14} aria-hidden />
        </IconButton>
      )}
      {isRenaming && (
        <NameDialog
          title="Rename the organization"
          hint="Ids and keys stay the same."
          action="Rename"
          name={name}
          onSave={async (next) => {
            await renameOrganization(next);
            toast(`The organization is called “${next}” now.`);
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

/** What the role of the person does not show, and who can help. */
function Missing({ what }: { what: string }) {
  const ask = useAskAdmin();
  return (
    <Empty title={`You cannot see ${what}`}>
      You have the role member. Only an admin can see {what}. {ask}
    </Empty>
  );
}
