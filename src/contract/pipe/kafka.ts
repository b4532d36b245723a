import { z } from 'zod';
import {
  BrokerList,
  EndpointIds,
  IamRole,
  PemCertificates,
  PemPrivateKey,
  Secret,
  TopicList,
  UserCredentials,
  WebAddress,
} from './fields.ts';

export const KafkaFormat = z.enum(['JSONEachRow', 'Avro', 'AvroConfluent', 'Protobuf']);
export type KafkaFormat = z.infer<typeof KafkaFormat>;
export const KafkaAuthentication = z.enum([
  'PLAIN',
  'SCRAM-SHA-256',
  'SCRAM-SHA-512',
  'MUTUAL_TLS',
  'IAM_ROLE',
  'IAM_USER',
]);
export type KafkaAuthentication = z.infer<typeof KafkaAuthentication>;
export const KafkaType = z
  .enum(['kafka', 'redpanda', 'confluent', 'msk', 'warpstream', 'azureeventhub', 'dokafka'])
  .meta({ description: 'Whose Kafka it is; kept and shown' });

/** Minutes, UTC. */
const MinuteText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'must be YYYY-MM-DDTHH:MM (UTC)')
  .refine((text) => isRealMinute(text), 'is not a date of the calendar');

function isRealMinute(text: string): boolean {
  const time = Date.parse(`${text}:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export const KafkaOffset = z
  .object({
    strategy: z.enum(['from_beginning', 'from_latest', 'from_timestamp']).optional().meta({
      description:
        'Where a partition without a stored position begins; from_timestamp where a timestamp is given, else from_beginning',
    }),
    timestamp: MinuteText.optional(),
  })
  .superRefine(({ strategy, timestamp }, context) => {
    if (strategy === 'from_timestamp' && timestamp === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['timestamp'],
        message: 'is required with strategy from_timestamp',
      });
    }
    if (strategy !== undefined && strategy !== 'from_timestamp' && timestamp !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['timestamp'],
        message: `does not go with strategy ${strategy}`,
      });
    }
  });

const registry = {
  url: WebAddress,
  authentication: z
    .enum(['PLAIN', 'NONE'])
    .optional()
    .meta({ description: 'PLAIN where credentials are given' }),
  caCertificate: PemCertificates.optional(),
};

/** User name and password (PLAIN, SCRAM); access key (IAM_USER); client certificate and key (MUTUAL_TLS). Write-only. */
export const KafkaCredentials = z
  .object({
    username: z.string().min(1, 'must not be empty').max(1024).optional().meta({ writeOnly: true }),
    password: Secret.optional(),
    accessKeyId: z
      .string()
      .min(1, 'must not be empty')
      .max(1024)
      .optional()
      .meta({ writeOnly: true }),
    secretKey: Secret.optional(),
    certificate: PemCertificates.optional().meta({ writeOnly: true }),
    privateKey: PemPrivateKey.optional(),
  })
  .meta({ id: 'PipeKafkaCredentials' });
export type KafkaCredentials = z.infer<typeof KafkaCredentials>;

const visible = {
  type: KafkaType.optional(),
  format: KafkaFormat.optional(),
  brokers: BrokerList,
  topics: TopicList,
  consumerGroup: z.string().min(1, 'must not be empty').max(255).optional(),
  authentication: KafkaAuthentication.optional(),
  iamRole: IamRole.optional(),
  offset: KafkaOffset.optional(),
  caCertificate: PemCertificates.optional(),
  reversePrivateEndpointIds: EndpointIds.optional(),
};

export const KafkaSourceInput = z
  .object({
    ...visible,
    schemaRegistry: z.object({ ...registry, credentials: UserCredentials.optional() }).optional(),
    credentials: KafkaCredentials.optional(),
  })
  .superRefine((source, context) => {
    for (const [path, message] of kafkaMistakes(source)) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .meta({ id: 'PipeKafkaSourceInput' });
export type KafkaSourceInput = z.output<typeof KafkaSourceInput>;

export const KafkaSource = z
  .object({ ...visible, schemaRegistry: z.object(registry).optional() })
  .meta({ id: 'PipeKafkaSource' });
export type KafkaSource = z.output<typeof KafkaSource>;

export const KafkaSourceUpdate = z
  .object({
    iamRole: visible.iamRole,
    caCertificate: visible.caCertificate,
    reversePrivateEndpointIds: visible.reversePrivateEndpointIds,
    credentials: KafkaCredentials.optional(),
  })
  .meta({ id: 'PipeKafkaSourceUpdate' });
export type KafkaSourceUpdate = z.output<typeof KafkaSourceUpdate>;

type Checked = Pick<
  KafkaSourceInput,
  'authentication' | 'credentials' | 'iamRole' | 'format' | 'schemaRegistry'
>;

/** What each way to authenticate needs, and refuses. */
const needs = {
  PLAIN: ['username', 'password'],
  'SCRAM-SHA-256': ['username', 'password'],
  'SCRAM-SHA-512': ['username', 'password'],
  MUTUAL_TLS: ['certificate', 'privateKey'],
  IAM_ROLE: [],
  IAM_USER: ['accessKeyId', 'secretKey'],
} as const satisfies Record<KafkaAuthentication, readonly (keyof KafkaCredentials)[]>;

/** Rules between fields; also asked of a stored source after a PATCH. */
export function kafkaMistakes(source: Checked): [path: string[], message: string][] {
  return [...authenticationMistakes(source), ...formatMistakes(source)];
}

function authenticationMistakes({
  authentication,
  credentials,
  iamRole,
}: Checked): [string[], string][] {
  const method = authentication ?? (credentials === undefined ? undefined : 'PLAIN');
  const mistakes: [string[], string][] = [];
  if (method === 'IAM_ROLE' && iamRole === undefined) {
    mistakes.push([['iamRole'], 'is required with authentication IAM_ROLE']);
  }
  if (method === undefined) {
    return mistakes;
  }
  const wanted: readonly string[] = needs[method];
  const given = Object.keys(credentials ?? {}).filter(
    (name) => credentials?.[name as keyof KafkaCredentials] !== undefined,
  );
  for (const name of wanted) {
    if (!given.includes(name)) {
      mistakes.push([['credentials', name], `is required with authentication ${method}`]);
    }
  }
  for (const name of given) {
    if (!wanted.includes(name)) {
      mistakes.push([['credentials', name], `does not go with authentication ${method}`]);
    }
  }
  return mistakes;
}

function formatMistakes({ format, schemaRegistry }: Checked): [string[], string][] {
  const mistakes: [string[], string][] = [];
  if (schemaRegistry === undefined && (format === 'AvroConfluent' || format === 'Protobuf')) {
    mistakes.push([['schemaRegistry'], `is required with format ${format}`]);
  }
  if (schemaRegistry?.authentication === 'PLAIN' && schemaRegistry.credentials === undefined) {
    mistakes.push([['schemaRegistry', 'credentials'], 'is required with authentication PLAIN']);
  }
  if (schemaRegistry?.authentication === 'NONE' && schemaRegistry.credentials !== undefined) {
    mistakes.push([['schemaRegistry', 'credentials'], 'does not go with authentication NONE']);
  }
  return mistakes;
}
