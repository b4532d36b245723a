import type { KeyChange, KeyRole, OrganizationKey } from '../../../api/queries/organization.ts';
import type { FormIssue } from '../../../kit/use-form.ts';

/** What the form shows. Its keys begin the paths of mistakes. */
export interface KeyDraft {
  name: string;
  roles: readonly KeyRole[];
  /** In milliseconds. Null: never. Undefined: the text is not understood. */
  expireAt: number | null | undefined;
  /** An address in each line, with a note behind it. */
  ipAccessList: string;
}

export const newDraft: KeyDraft = {
  name: '',
  roles: ['developer'],
  expireAt: null,
  ipAccessList: '',
};

export const draftOf = ({ name, roles, expireAt, ipAccessList }: OrganizationKey): KeyDraft => ({
  name,
  roles,
  expireAt: expireAt === null ? null : Date.parse(expireAt),
  ipAccessList: ipAccessList
    .map(({ source, description }) => [source, description].filter(Boolean).join(' '))
    .join('\n'),
});

type KeyBody = Required<Omit<KeyChange, 'state'>>;

export const bodyOf = ({ name, roles, expireAt, ipAccessList }: KeyDraft): KeyBody => ({
  name: name.trim(),
  roles: [...roles],
  expireAt: typeof expireAt === 'number' ? new Date(expireAt).toISOString() : null,
  ipAccessList: addressesOf(ipAccessList),
});

/** `203.0.113.0/24 Office` is an address and its note. */
function addressesOf(text: string): KeyBody['ipAccessList'] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).map((line) => {
    const [source = '', ...words] = line.split(/\s+/);
    return { source, ...(words.length > 0 && { description: words.join(' ') }) };
  });
}

/** Mistakes at the fields of the form. A mistake of an address quotes it. */
export function atFields(draft: KeyDraft, issues: readonly FormIssue[]): FormIssue[] {
  const addresses = addressesOf(draft.ipAccessList);
  return issues.map(({ path, message }) => {
    const [field = '', index] = path.split('.');
    const address = field === 'ipAccessList' ? addresses[Number(index)] : undefined;
    return { path: field, message: address ? `“${address.source}”: ${message}` : message };
  });
}

/** Whether two drafts send the same. */
export const isSame = (one: KeyDraft, other: KeyDraft): boolean =>
  one.expireAt !== undefined &&
  other.expireAt !== undefined &&
  JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));
