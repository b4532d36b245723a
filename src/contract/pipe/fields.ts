import { z } from 'zod';

/** A credential or key: any text, never returned. */
export const Secret = z.string().min(1, 'must not be empty').max(16_384).meta({ writeOnly: true });

const pemText =
  /^\s*(-----BEGIN ([A-Z0-9 ]+)-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END \2-----\s*)+$/;

/** A switch of other services, sent by their clients. `reason`: why it cannot be on. */
export const alwaysOff = (reason: string) =>
  z
    .boolean()
    .refine((value) => !value, `must be false: ${reason}`)
    .optional()
    .meta({ description: 'Only false is supported. Stored and returned.' });

/** A text of other services, sent empty by their clients. */
export const alwaysEmpty = z
  .string()
  .refine((text) => text === '', 'is not supported. Omit it.')
  .nullable()
  .optional()
  .meta({ description: 'Not supported. Only null and the empty text are accepted.' });

/**
 * One or more PEM certificates. Their content is checked at first use, before anything is stored.
 */
export const PemCertificates = z
  .string()
  .max(262_144)
  .refine(
    (text) =>
      pemText.test(text) &&
      /BEGIN (X509 |TRUSTED )?CERTIFICATE-/.test(text) &&
      !/PRIVATE KEY/.test(text),
    'must be one or more PEM certificates (-----BEGIN CERTIFICATE-----)',
  );

export const PemPrivateKey = z
  .string()
  .max(65_536)
  .refine(
    (text) => pemText.test(text) && /BEGIN (RSA |EC |ENCRYPTED )?PRIVATE KEY-/.test(text),
    'must be a PEM private key (-----BEGIN PRIVATE KEY-----)',
  )
  .meta({ writeOnly: true });

export const UserCredentials = z
  .object({
    username: z
      .string()
      .min(1, 'must not be empty')
      .max(1024)
      .meta({ writeOnly: true })
      .meta({ description: 'User name. Write-only.' }),
    password: Secret.meta({ description: 'Password. Write-only.' }),
  })
  .meta({ id: 'PipeUserCredentials', description: 'Write-only.' });
export type UserCredentials = z.infer<typeof UserCredentials>;

export const AccessKeyCredentials = z
  .object({
    accessKeyId: z
      .string()
      .min(1, 'must not be empty')
      .max(1024)
      .meta({ writeOnly: true })
      .meta({ description: 'Access key id. Write-only.' }),
    secretKey: Secret.meta({ description: 'Secret access key. Write-only.' }),
  })
  .meta({ id: 'PipeAccessKey', description: 'Write-only.' });
export type AccessKeyCredentials = z.infer<typeof AccessKeyCredentials>;

export const IamRole = z
  .string()
  .regex(
    /^arn:[a-z0-9-]+:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
    'must be a role ARN such as arn:aws:iam::123456789012:role/name',
  );

export const Region = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'must be a region name such as us-east-1');

/** A name that goes to the engine in backquotes: any printable text. */
export const EngineName = z
  .string()
  .min(1, 'must not be empty')
  .max(206, 'must have at most 206 characters')
  .regex(/^[^\p{Cc}]+$/u, 'must not contain control characters');

/** Comma-separated `host:port` pairs without a scheme. */
export const BrokerList = z
  .string()
  .max(8192)
  .refine(
    (text) =>
      brokersOf(text).every((broker) => brokerPattern.test(broker) && portOf(broker) <= 65_535),
    'must be comma-separated host:port pairs',
  );
const brokerPattern =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\]):[1-9]\d{0,4}$/;
const portOf = (broker: string): number => Number(broker.slice(broker.lastIndexOf(':') + 1));

export function brokersOf(text: string): string[] {
  return text.split(',').map((broker) => broker.trim());
}

const topicListRule =
  'must be comma-separated topic names without duplicates ' +
  '(letters, digits, ".", "_", "-"; at most 249 characters each)';

export const TopicList = z
  .string()
  .max(8192)
  .refine((text) => {
    const topics = topicsOf(text);
    return topics.every(isTopicName) && new Set(topics).size === topics.length;
  }, topicListRule);

function isTopicName(topic: string): boolean {
  return /^[A-Za-z0-9._-]{1,249}$/.test(topic) && topic !== '.' && topic !== '..';
}

export function topicsOf(text: string): string[] {
  return text.split(',').map((topic) => topic.trim());
}

/** A web address without credentials in it. */
export const WebAddress = z
  .string()
  .max(4096)
  .refine((text) => {
    if (!/^https?:\/\/[^\s\\]+$/i.test(text)) {
      return false;
    }
    const [authority = ''] = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1);
    return !authority.includes('@') && authority !== '';
  }, 'must be an https:// URL without a user name or password');

export const EndpointIds = z
  .array(z.string().min(1).max(255))
  .max(50, 'must have at most 50 items')
  .meta({
    description:
      'Ids of private endpoints of the source (at most 50). Stored and returned; this deployment does not use them.',
  });
