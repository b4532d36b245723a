import { textOf, type SourceField, type Texts } from '../fields.ts';

/** Fields that several kinds have. A kind names only what differs. */

/** The hint of every field whose value nobody sees again. */
export const stored = 'Stored encrypted. Nobody can read it again.';

/** Whether the field of the ways to sign in has one of these values. */
export const signsInBy =
  (...methods: string[]) =>
  (texts: Texts): boolean =>
    methods.includes(textOf(texts, 'authentication'));

type Shown = (texts: Texts) => boolean;

/**
 * An access key: its id and its secret.
 *
 * @param place path of the object in the source that has both
 * @param hint rights that the key needs
 */
export const accessKeyFields = (
  place: string,
  isShown: Shown,
  hint?: string,
): readonly SourceField[] => [
  {
    name: 'accessKeyId',
    label: 'Access key id',
    ...(hint !== undefined && { hint }),
    look: 'text',
    path: `${place}.accessKeyId`,
    isCredential: true,
    isShown,
  },
  {
    name: 'secretKey',
    label: 'Secret key',
    hint: stored,
    look: 'secret',
    path: `${place}.secretKey`,
    isCredential: true,
    isShown,
  },
];

export const iamRoleField = (isShown: Shown): SourceField => ({
  name: 'iamRole',
  label: 'IAM role',
  hint: 'ARN of the role that this server assumes.',
  placeholder: 'arn:aws:iam::123456789012:role/reader',
  look: 'text',
  path: 'iamRole',
  isShown,
});

/** Which records of a stream the pipe reads, by values of the source. */
export const startField = (
  name: string,
  path: string,
  { latest, time }: { latest: string; time: string },
): SourceField => ({
  name,
  label: 'Start with',
  look: 'choice',
  path,
  isSetting: true,
  choices: [
    { value: '', label: 'The oldest records' },
    { value: latest, label: 'Records that arrive from now on' },
    { value: time, label: 'A time' },
  ],
});
