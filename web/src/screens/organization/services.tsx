import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import {
  createService,
  renameService,
  servicesQuery,
  type NewService,
  type Service,
} from '../../api/queries/organization.ts';
import { sessionQuery } from '../../api/queries/session.ts';
import { useRight } from '../../api/use-right.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { SecretText } from '../../kit/secret-text.tsx';
import { toast } from '../../kit/toast.tsx';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import { Loaded } from './loaded.tsx';
import { NameDialog } from './name-dialog.tsx';
import styles from './organization.module.css';

/** The services of the organization, each with its telemetry database. */
export function Services() {
  const query = useQuery(servicesQuery);
  const canChange = useRight('organization:write');
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.quiet}>Each service has a team, sources and a telemetry database.</p>
        {canChange && (
          <Button icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
            New service
          </Button>
        )}
      </div>
      <Loaded query={query} failed="The services cannot be listed">
        {(services) => <ServiceTable services={services} canChange={canChange} />}
      </Loaded>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  );
}

/** Makes a service and shows its ingestion key, which is in the state of this component only. */
function CreateDialog({ onClose }: { onClose(): void }) {
  const [made, setMade] = useState<NewService>();
  if (!made) {
    return (
      <NameDialog
        title="New service"
        hint="Such as “staging”. The service gets a telemetry database of its own."
        action="Create service"
        name=""
        onSave={async (name) => setMade(await createService(name))}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title={`“${made.name}” is ready`}
      open
      mustAnswer
      onOpenChange={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>
        Senders of telemetry show this ingestion key. What they send is stored in the database{' '}
        <code>{made.database}</code>. The team of the service can show the key again.
      </p>
      <SecretText label="Ingestion key" text={made.ingestionKey} />
    </Dialog>
  );
}

const stateWords: Record<Service['state'], string> = {
  running: 'Running',
  degraded: 'Degraded: the engine does not answer',
};

interface ServiceTableProps {
  services: readonly Service[];
  canChange: boolean;
}

function ServiceTable({ services, canChange }: ServiceTableProps) {
  const { data: session } = useQuery(sessionQuery);
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const columns = [
    { label: 'Service' },
    { label: 'Database', isExtra: true },
    { label: 'State', isExtra: true },
    { label: `Created (${zoneLabel(zone)})`, isExtra: true },
  ];
  return (
    <ListTable
      label="Services"
      columns={canChange ? [...columns, { label: 'Actions', isActions: true }] : columns}
    >
      {services.map((service) => (
        <tr key={service.id} className={styles.row}>
          <TitleCell
            title={
              <>
                {service.name}
                {service.id === session?.serviceId && <span className={styles.badge}>Yours</span>}
              </>
            }
            note={<code>{service.id}</code>}
            smallNote={`${service.database}, ${stateWords[service.state]}`}
          />
          <Cell isExtra>
            <code>{service.database}</code>
          </Cell>
          <Cell isExtra>{stateWords[service.state]}</Cell>
          <Cell isExtra>{formatTime(Date.parse(service.createdAt), zone, 'minute')}</Cell>
          {canChange && (
            <ActionsCell>
              <RenameButton service={service} />
            </ActionsCell>
          )}
        </tr>
      ))}
    </ListTable>
  );
}

function RenameButton({ service: { id, name } }: { service: Service }) {
  const [isRenaming, setRenaming] = useState(false);
  const close = (): void => setRenaming(false);
  return (
    <>
      <IconButton label={`Rename ${name}`} onClick={() => setRenaming(true)}>
        <Pencil size={16} aria-hidden />
      </IconButton>
      {isRenaming && (
        <NameDialog
          title={`Rename “${name}”`}
          hint="It is also the name of the team. The telemetry database keeps its name."
          action="Rename"
          name={name}
          onSave={async (next) => {
            await renameService(id, next);
            toast(`The service is called “${next}” now.`);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
