import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Ban, CircleCheck, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  organizationKeysQuery,
  updateKey,
  type OrganizationKey,
} from '../../../api/queries/organization.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../../kit/list-table.tsx';
import { Empty, ErrorText } from '../../../kit/state.tsx';
import { toast } from '../../../kit/toast.tsx';
import { usePref } from '../../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../../view/zone.ts';
import { Loaded } from '../loaded.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { expiryText, nameOf, rolesText, stateText } from './words.ts';
import styles from '../organization.module.css';

const route = getRouteApi('/inside/organization');

/** Keys of programs that call the managed API. */
export function Keys() {
  const query = useQuery(organizationKeysQuery);
  const { new: isCreating } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.quiet}>
          Keys for programs that call <code>/v1</code>, with the rights of their roles.
        </p>
        <Button
          look="primary"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => void navigate({ search: { tab: 'keys', new: true } })}
        >
          New key
        </Button>
      </div>
      <Loaded query={query} failed="The keys cannot be listed">
        {(keys) =>
          keys.length === 0 ? (
            <Empty title="There is no API key">
              A program needs one to call <code>/v1</code>. Create one key for each program, so that
              you can disable it alone.
            </Empty>
          ) : (
            <KeyTable keys={keys} />
          )
        }
      </Loaded>
      {isCreating && (
        <CreateDialog
          onClose={() =>
            // The dialog has asked already.
            void navigate({ search: { tab: 'keys' }, replace: true, ignoreBlocker: true })
          }
        />
      )}
    </>
  );
}

interface Doing {
  what: 'edit' | 'delete';
  key: OrganizationKey;
}

function KeyTable({ keys }: { keys: readonly OrganizationKey[] }) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const [doing, setDoing] = useState<Doing>();
  const { isBusy, error, run } = useAction();
  const close = (): void => setDoing(undefined);
  const turn = (key: OrganizationKey): void =>
    void run(async () => {
      const state = key.state === 'enabled' ? 'disabled' : 'enabled';
      await updateKey(key.id, { state });
      toast(`“${nameOf(key)}” is ${state}.`);
    });
  return (
    <>
      <ErrorText error={error} />
      <ListTable
        label="API keys"
        columns={[
          { label: 'Key' },
          { label: 'State', isExtra: true },
          { label: 'Roles', isExtra: true },
          { label: `Expires (${zoneLabel(zone)})`, isExtra: true },
          { label: `Last used (${zoneLabel(zone)})`, isExtra: true },
          { label: 'Addresses', isExtra: true },
          { label: 'Actions', isActions: true },
        ]}
      >
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            zone={zone}
            isBusy={isBusy}
            onTurn={() => turn(key)}
            onDo={(what) => setDoing({ what, key })}
          />
        ))}
      </ListTable>
      {doing?.what === 'edit' && <EditDialog apiKey={doing.key} onClose={close} />}
      {doing?.what === 'delete' && <DeleteDialog apiKey={doing.key} onClose={close} />}
    </>
  );
}

interface KeyRowProps {
  apiKey: OrganizationKey;
  zone: string;
  isBusy: boolean;
  onTurn(): void;
  onDo(what: Doing['what']): void;
}

function KeyRow({ apiKey, zone, isBusy, onTurn, onDo }: KeyRowProps) {
  const { keySuffix, state, roles, usedAt, ipAccessList } = apiKey;
  const name = nameOf(apiKey);
  const shownState = stateText(apiKey, Date.now());
  const expiry = expiryText(apiKey.expireAt === null ? null : Date.parse(apiKey.expireAt), zone);
  const addresses = ipAccessList.map(({ source }) => source).join(', ');
  return (
    <tr className={styles.row}>
      <TitleCell
        title={name}
        note={<code>…{keySuffix}</code>}
        smallNote={`${shownState}, ${rolesText(roles)}, expires: ${expiry}`}
      />
      <Cell isExtra>
        <span className={shownState === 'Enabled' ? undefined : styles.off}>{shownState}</span>
      </Cell>
      <Cell isExtra>{rolesText(roles)}</Cell>
      <Cell isExtra>{expiry}</Cell>
      <Cell isExtra>
        {usedAt === undefined ? 'Never' : formatTime(Date.parse(usedAt), zone, 'minute')}
      </Cell>
      <Cell isExtra>
        <span className={styles.cut} title={addresses}>
          {addresses || 'Every address'}
        </span>
      </Cell>
      <ActionsCell>
        <KeyActions
          name={name}
          apiKey={apiKey}
          isEnabled={state === 'enabled'}
          isBusy={isBusy}
          onTurn={onTurn}
          onDo={onDo}
        />
      </ActionsCell>
    </tr>
  );
}

interface KeyActionsProps extends Omit<KeyRowProps, 'zone'> {
  name: string;
  isEnabled: boolean;
}

function KeyActions({ name, isEnabled, isBusy, onTurn, onDo }: KeyActionsProps) {
  return (
    <>
      <IconButton label={`Change ${name}`} onClick={() => onDo('edit')}>
        <Pencil size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={`${isEnabled ? 'Disable' : 'Enable'} ${name}`}
        disabled={isBusy}
        onClick={onTurn}
      >
        {isEnabled ? <Ban size={16} aria-hidden /> : <CircleCheck size={16} aria-hidden />}
      </IconButton>
      <IconButton label={`Delete ${name}`} onClick={() => onDo('delete')}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </>
  );
}
