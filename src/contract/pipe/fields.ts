import { z } from 'zod';

/** A credential or key: any text, never shown again. */
export const Secret = z.string().min(1, 'must not be empty').max(16_384).meta({ writeOnly: true });

const pemText =
  /^\s*(-----BEGIN ([A-Z0-9 ]+)-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END \2-----\s*)+$/;

/** One certificate or several, PEM. That they decode is checked when they are used for the first time, before anything is stored. */
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
    username: z.string().min(1, 'must not be empty').max(1024).meta({ writeOnly: true }),
    password: Secret,
  })
  .meta({ id: 'PipeUserCredentials', description: 'Write-only' });
export type UserCredentials = z.infer<typeof UserCredentials>;

export const AccessKeyCredentials = z
  .object({
    accessKeyId: z.string().min(1, 'must not be empty').max(1024).meta({ writeOnly: true }),
    secretKey: Secret,
  })
  .meta({ id: 'PipeAccessKey', description: 'Write-only' });
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

/** A name the engine will get in backquotes: any printable text. */
export const EngineName = z
  .string()
  .min(1, 'must not be empty')
  .max(206, 'must have at most 206 characters')
  .regex(/^[^\p{Cc}]+$/u, 'must not contain control characters');

/** `sasl://`-less `host:port` pairs, comma-separated. */
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

export const TopicList = z
  .string()
  .max(8192)
  .refine((text) => {
    const topics = topicsOf(text);
    return (
      topics.every(
        (topic) => /^[A-Za-z0-9._-]{1,249}$/.test(topic) && topic !== '.' && topic !== '..',
      ) && new Set(topics).size === topics.length
    );
  }, 'must be comma-separated topic names (letters, digits, ".", "_", "-"; at most 249 characters), none twice');

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
    const authority = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0]!;
    return !authority.includes('@') && authority !== '';
  }, 'must be an https:// address without a user name or password in it');

export const EndpointIds = z
  .array(z.string().min(1).max(255))
  .max(50, 'must have at most 50 items')
  .meta({
    description:
      'Private endpoints to reach the source through; kept and shown, not used by this deployment',
  });
