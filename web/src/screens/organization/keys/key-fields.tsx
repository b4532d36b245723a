import type { KeyRole } from '../../../api/queries/organization.ts';
import { Choices, Toggle } from '../../../kit/choices.tsx';
import { Field, TextArea } from '../../../kit/field.tsx';
import { MomentField } from '../../../kit/moment-field.tsx';
import { ErrorText } from '../../../kit/state.tsx';
import { usePref } from '../../../view/use-pref.ts';
import { zoneName } from '../../../view/zone.ts';
import { roleHints, roles, roleWords } from './roles.ts';
import type { KeyForm } from './use-key-form.ts';
import styles from '../organization.module.css';

const dayMs = 86_400_000;
const firstExpiryDays = 90;
const addressHint =
  'One IPv4 or IPv6 address or CIDR in each line, with a note behind it. ' +
  'If empty, every address can use the key.';

/** Name, roles, expiry and addresses of a key. */
export function KeyFields({ model }: { model: KeyForm }) {
  const { draft, change, form, host, error } = model;
  const [zonePref] = usePref('zone');
  const { expireAt } = draft;
  return (
    <div ref={host} className={styles.form} onBlur={form.onBlur}>
      <Field
        name="name"
        label="Name"
        hint="Name the program that will use it."
        autoFocus
        autoComplete="off"
        maxLength={255}
        value={draft.name}
        error={form.issueAt('name')}
        onChange={({ target }) => change({ name: target.value })}
      />
      <RoleFields
        chosen={draft.roles}
        error={form.issueAt('roles')}
        onChange={(next) => change({ roles: next })}
      />
      <Choices
        label="Expiry"
        value={expireAt === null ? 'never' : 'at'}
        choices={[
          { value: 'never', label: 'Never' },
          { value: 'at', label: 'At a time' },
        ]}
        onChange={(when) =>
          change({ expireAt: when === 'never' ? null : Date.now() + firstExpiryDays * dayMs })
        }
      />
      {expireAt !== null && (
        <MomentField
          label="Expires"
          ms={expireAt}
          zone={zoneName(zonePref)}
          error={form.issueAt('expireAt')}
          onChange={(ms) => change({ expireAt: ms })}
        />
      )}
      <TextArea
        name="ipAccessList"
        label="Addresses"
        hint={addressHint}
        autoComplete="off"
        spellCheck={false}
        rows={3}
        placeholder="203.0.113.0/24 Office"
        value={draft.ipAccessList}
        error={form.issueAt('ipAccessList')}
        onChange={({ target }) => change({ ipAccessList: target.value })}
      />
      {form.otherIssues.map(({ path, message }) => (
        <p key={path} role="alert" className={styles.problem}>
          {path}: {message}
        </p>
      ))}
      <ErrorText error={error} />
    </div>
  );
}

interface RoleFieldsProps {
  chosen: readonly KeyRole[];
  error: string | undefined;
  onChange(roles: KeyRole[]): void;
}

/** Several roles add up. */
function RoleFields({ chosen, error, onChange }: RoleFieldsProps) {
  return (
    <fieldset className={styles.group}>
      <legend>Roles</legend>
      {roles.map((role) => (
        <Toggle
          key={role}
          label={roleWords[role]}
          hint={roleHints[role]}
          isOn={chosen.includes(role)}
          onChange={(isOn) =>
            onChange(roles.filter((one) => (one === role ? isOn : chosen.includes(one))))
          }
        />
      ))}
      {error !== undefined && (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
