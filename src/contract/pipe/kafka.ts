import { z } from 'zod';
import { createOnly } from './create-only.ts';
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
import type { Mistake, SourceContract } from './source-contract.ts';

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
  .enum(['kafka', 'redpanda', 'confluent', 'msk', 'warpstream', 'azureeventhub', 'gcmk', 'dokafka'])
  .meta({ description: 'Provider of the Kafka service. For information only.' });

/** Minutes, UTC. */
const MinuteText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'must be YYYY-MM-DDTHH:MM (UTC)')
  .refine((text) => isRealMinute(text), 'is not a valid date');

function isRealMinute(text: string): boolean {
  const time = Date.parse(`${text}:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export const KafkaOffset = z
  .object({
    strategy: z
      .enum(['from_beginning', 'from_latest', 'from_timestamp'])
      .optional()
      .meta({
        description:
          'Start position of a partition without a stored position. ' +
          'Default: `from_timestamp` if `timestamp` is set, otherwise `from_beginning`.',
      }),
    timestamp: MinuteText.optional().meta({
      description: 'Start time in UTC, `YYYY-MM-DDTHH:MM`. Required for `from_timestamp`.',
    }),
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
        message: `cannot be combined with strategy ${strategy}`,
      });
    }
  });

const registry = {
  url: WebAddress.meta({ description: 'URL of the schema registry.' }),
  authentication: z
    .enum(['PLAIN', 'NONE'])
    .optional()
    .meta({ description: 'Authentication method. Default: `PLAIN` if `credentials` is set.' }),
  caCertificate: PemCertificates.optional().meta({
    description: "PEM certificates of the registry's certificate authority.",
  }),
};

/**
 * User name and password (PLAIN, SCRAM); access key (IAM_USER); client certificate and key
 * (MUTUAL_TLS). Write-only.
 */
export const KafkaCredentials = z
  .object({
    username: z
      .string()
      .min(1, 'must not be empty')
      .max(1024)
      .optional()
      .meta({ writeOnly: true })
      .meta({ description: 'User name, for PLAIN and SCRAM. Write-only.' }),
    password: Secret.optional().meta({ description: 'Password, for PLAIN and SCRAM. Write-only.' }),
    accessKeyId: z
      .string()
      .min(1, 'must not be empty')
      .max(1024)
      .optional()
      .meta({ writeOnly: true })
      .meta({ description: 'Access key id, for IAM_USER. Write-only.' }),
    secretKey: Secret.optional().meta({
      description: 'Secret access key, for IAM_USER. Write-only.',
    }),
    certificate: PemCertificates.optional()
      .meta({ writeOnly: true })
      .meta({ description: 'PEM client certificate, for MUTUAL_TLS. Write-only.' }),
    privateKey: PemPrivateKey.optional().meta({
      description: 'PEM private key of the client certificate, for MUTUAL_TLS. Write-only.',
    }),
  })
  .meta({ id: 'PipeKafkaCredentials' });
export type KafkaCredentials = z.infer<typeof KafkaCredentials>;

const visible = {
  type: KafkaType.optional(),
  format: KafkaFormat.optional().meta({
    description:
      'Format of the records. Default: `AvroConfluent` if `schemaRegistry` is set, otherwise `JSONEachRow`.',
  }),
  brokers: BrokerList.meta({ description: 'Brokers as comma-separated host:port pairs.' }),
  topics: TopicList.meta({ description: 'Topics to read, comma-separated.' }),
  consumerGroup: z.string().min(1, 'must not be empty').max(255).optional().meta({
    description:
      "Consumer group (1–255 characters). If absent, the server derives one from the pipe's id.",
  }),
  authentication: KafkaAuthentication.optional().meta({
    description: 'Authentication method. Default: `PLAIN` if `credentials` is set.',
  }),
  iamRole: IamRole.optional().meta({
    description: 'ARN of the role to assume. Required for IAM_ROLE.',
  }),
  offset: KafkaOffset.optional().meta({
    description: 'Start position of partitions without a stored position.',
  }),
  caCertificate: PemCertificates.optional().meta({
    description: "PEM certificates of the brokers' certificate authority.",
  }),
  reversePrivateEndpointIds: EndpointIds.optional(),
  exactlyOnce: z.boolean().optional().meta({
    description: 'Stored and returned. Every pipe stores each record exactly once.',
  }),
};

export const KafkaSourceInput = z
  .object({
    ...visible,
    schemaRegistry: z
      .object({ ...registry, credentials: UserCredentials.optional() })
      .optional()
      .meta({
        description: 'Schema registry of the records. Required for AvroConfluent and Protobuf.',
      }),
    credentials: KafkaCredentials.optional(),
  })
  .superRefine((source, context) => {
    for (const [path, message] of kafkaMistakes(source)) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .meta({ id: 'PipeKafkaSourceInput' });
export type KafkaSourceInput = z.output<typeof KafkaSourceInput>;

const KafkaSourceDraft = z
  .object({
    ...KafkaSourceInput.shape,
    topics: visible.topics
      .optional()
      .transform((topics = '') => topics)
      .meta({ description: 'Topics to check, comma-separated. If absent, no topic is checked.' }),
  })
  .meta({ id: 'PipeKafkaSourceDraft' });

export const KafkaSource = z
  .object({
    ...visible,
    schemaRegistry: z
      .object(registry)
      .optional()
      .meta({ description: 'Schema registry of the records.' }),
  })
  .meta({ id: 'PipeKafkaSource' });
export type KafkaSource = z.output<typeof KafkaSource>;

export const KafkaSourceUpdate = z
  .object({
    iamRole: visible.iamRole,
    caCertificate: visible.caCertificate,
    reversePrivateEndpointIds: visible.reversePrivateEndpointIds,
    credentials: KafkaCredentials.optional(),
    ...createOnly(KafkaSourceInput.shape, [
      'iamRole',
      'caCertificate',
      'reversePrivateEndpointIds',
      'credentials',
    ]),
  })
  .meta({ id: 'PipeKafkaSourceUpdate' });
export type KafkaSourceUpdate = z.output<typeof KafkaSourceUpdate>;

type Checked = Pick<
  KafkaSourceInput,
  'authentication' | 'credentials' | 'iamRole' | 'format' | 'schemaRegistry'
>;

/** The credentials that each authentication method requires. All others are rejected. */
const needs = {
  PLAIN: ['username', 'password'],
  'SCRAM-SHA-256': ['username', 'password'],
  'SCRAM-SHA-512': ['username', 'password'],
  MUTUAL_TLS: ['certificate', 'privateKey'],
  IAM_ROLE: [],
  IAM_USER: ['accessKeyId', 'secretKey'],
} as const satisfies Record<KafkaAuthentication, readonly (keyof KafkaCredentials)[]>;

function kafkaMistakes(source: Checked): Mistake[] {
  return [...authenticationMistakes(source), ...formatMistakes(source)];
}

function authenticationMistakes({ authentication, credentials, iamRole }: Checked): Mistake[] {
  const method = authentication ?? (credentials === undefined ? undefined : 'PLAIN');
  const mistakes: Mistake[] = [];
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
      mistakes.push([['credentials', name], `cannot be combined with authentication ${method}`]);
    }
  }
  return mistakes;
}

function formatMistakes({ format, schemaRegistry }: Checked): Mistake[] {
  const mistakes: Mistake[] = [];
  if (schemaRegistry === undefined && (format === 'AvroConfluent' || format === 'Protobuf')) {
    mistakes.push([['schemaRegistry'], `is required with format ${format}`]);
  }
  if (schemaRegistry?.authentication === 'PLAIN' && schemaRegistry.credentials === undefined) {
    mistakes.push([['schemaRegistry', 'credentials'], 'is required with authentication PLAIN']);
  }
  if (schemaRegistry?.authentication === 'NONE' && schemaRegistry.credentials !== undefined) {
    mistakes.push([
      ['schemaRegistry', 'credentials'],
      'cannot be combined with authentication NONE',
    ]);
  }
  return mistakes;
}

export const kafkaContract = {
  input: KafkaSourceInput,
  draft: KafkaSourceDraft,
  record: KafkaSource,
  masks: {},
  update: KafkaSourceUpdate,
  virtualFields: [
    '_topic',
    '_partition',
    '_offset',
    '_timestamp',
    '_key',
    '_headers',
    '_raw_message',
  ],
  tablesField: null,
  mistakes: kafkaMistakes,
} as const satisfies SourceContract<KafkaSourceInput>;

/** A source in requests and responses. */
export const kafkaExample = {
  input: {
    brokers: 'broker-1.example.com:9092',
    topics: 'orders',
    format: 'JSONEachRow',
    credentials: { username: 'reader', password: 'secret' },
    authentication: 'SCRAM-SHA-256',
  },
  record: {
    brokers: 'broker-1.example.com:9092',
    topics: 'orders',
    format: 'JSONEachRow',
    authentication: 'SCRAM-SHA-256',
  },
} as const;
