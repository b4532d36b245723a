import { z } from 'zod';
import { createOnly } from './create-only.ts';
import { AccessKeyCredentials, alwaysEmpty, alwaysOff, IamRole, WebAddress } from './fields.ts';
import { ObjectPath, ObjectUrl } from './object-url.ts';
import type { Mistake, SourceContract } from './source-contract.ts';

export const ObjectFormat = z.enum([
  'JSONEachRow',
  'CSV',
  'CSVWithNames',
  'TabSeparated',
  'TabSeparatedWithNames',
  'Parquet',
  'Avro',
]);
export type ObjectFormat = z.infer<typeof ObjectFormat>;
export const ObjectCompression = z.enum([
  'auto',
  'none',
  'gzip',
  'gz',
  'brotli',
  'br',
  'xz',
  'LZMA',
  'zstd',
]);
export type ObjectCompression = z.infer<typeof ObjectCompression>;

/**
 * The delimiter of the engine: one byte. With a dot, an apostrophe, L or U it cannot separate
 * values.
 */
const Delimiter = z
  .string()
  .refine(
    (text) => text.length === 1 && text > '\0' && text < '\x80' && !/[\r\n".'LU]/.test(text),
    'must be one ASCII character other than a quote, a dot, L, U or a line break',
  );

const common = {
  type: z
    .enum(['s3', 'gcs', 'azureblobstorage', 'dospaces', 'r2', 'ovhobjectstorage', 'cloudflarer2'])
    .optional()
    .meta({ description: 'Provider of the object storage.' }),
  format: ObjectFormat.optional().meta({
    description: 'Data format. If absent, the file extension decides.',
  }),
  authentication: z
    .enum(['IAM_ROLE', 'IAM_USER', 'CONNECTION_STRING', 'PUBLIC'])
    .optional()
    .meta({
      description:
        'Authentication method. `IAM_ROLE` requires `iamRole`, ' +
        '`IAM_USER` requires `accessKey`, `CONNECTION_STRING` requires `connectionString`.',
    }),
  url: ObjectUrl.optional().meta({
    description: 'URL of the objects. Supports the glob patterns `?`, `*`, `**` and `{a,b}`.',
  }),
  delimiter: Delimiter.optional().meta({
    description: 'Delimiter between CSV values: one ASCII character (default `,`).',
  }),
  compression: ObjectCompression.optional().meta({
    description: 'Compression of the objects. If `auto` or absent, the file extension decides.',
  }),
  isContinuous: z
    .boolean()
    .optional()
    .meta({
      description:
        'If true, the pipe keeps loading new objects. ' +
        'If false (default), it completes after the objects that exist at its start.',
    }),
  skipInitialLoad: alwaysOff('the pipe loads the objects that exist at its start'),
  startAfter: alwaysEmpty,
  queueUrl: WebAddress.optional().meta({
    description: 'URL of a queue that announces new objects. Requires `isContinuous: true`.',
  }),
  iamRole: IamRole.optional().meta({ description: 'ARN of the role to assume.' }),
  path: ObjectPath.optional().meta({
    description: 'Path of the blobs in the container. Supports the same glob patterns as `url`.',
  }),
  containerName: z
    .string()
    .regex(
      /^(\$root|\$web|[a-z0-9](?:-?[a-z0-9]){2,62})$/,
      'must be a container name: 3 to 63 lower-case letters, digits and single "-"',
    )
    .optional()
    .meta({ description: 'Name of the Azure Blob Storage container.' }),
};

/** `Name=value` pairs separated by `;`, with an account. */
const ConnectionString = z
  .string()
  .max(8192)
  .refine((text) => {
    const names = connectionStringParts(text).map(([name]) => name.toLowerCase());
    return (
      text.includes('=') &&
      names.every((name) => name !== '') &&
      ['accountname', 'blobendpoint', 'usedevelopmentstorage'].some((name) => names.includes(name))
    );
  }, 'must be a connection string such as AccountName=…;AccountKey=…');

function connectionStringParts(text: string): [name: string, value: string][] {
  return text
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const separator = part.indexOf('=');
      return separator < 0
        ? ['', part]
        : [part.slice(0, separator).trim(), part.slice(separator + 1)];
    });
}

/** Replaces each secret value in a response. */
export const connectionStringMask = '***';
const secretParts = new Set([
  'accountkey',
  'sharedaccesssignature',
  'sharedaccesskey',
  'password',
  'sig',
]);

/**
 * The connection string with its keys masked, the only form in responses. Parts that are not known
 * to be harmless are masked too.
 */
export function maskConnectionString(text: string): string {
  return connectionStringParts(text)
    .map(
      ([name, value]) =>
        `${name}=${secretParts.has(name.toLowerCase()) || carriesSecret(value) ? connectionStringMask : value}`,
    )
    .join(';');
}

const carriesSecret = (value: string): boolean => /[?&]sig=|\/\/[^/]*@/i.test(value);

const secrets = {
  connectionString: ConnectionString.optional().meta({
    description: 'Connection string of Azure Blob Storage. Its secret values are write-only.',
  }),
  accessKey: AccessKeyCredentials.optional(),
};

export const ObjectStorageSourceInput = z
  .object({ ...common, ...secrets })
  .superRefine((source, context) => {
    for (const [path, message] of objectStorageMistakes(source)) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .meta({ id: 'PipeObjectStorageSourceInput' });
export type ObjectStorageSourceInput = z.output<typeof ObjectStorageSourceInput>;

const ObjectStorageSourceDraft = z
  .object(ObjectStorageSourceInput.shape)
  .meta({ id: 'PipeObjectStorageSourceDraft' });

export const ObjectStorageSource = z
  .object({
    ...common,
    connectionString: z
      .string()
      .optional()
      .meta({ description: 'Connection string with its secret values masked.' }),
  })
  .meta({ id: 'PipeObjectStorageSource' });
export type ObjectStorageSource = z.output<typeof ObjectStorageSource>;

export const ObjectStorageSourceUpdate = z
  .object({
    iamRole: common.iamRole,
    connectionString: secrets.connectionString,
    path: common.path,
    containerName: common.containerName,
    accessKey: secrets.accessKey,
    ...createOnly(ObjectStorageSourceInput.shape, [
      'iamRole',
      'connectionString',
      'path',
      'containerName',
      'accessKey',
    ]),
  })
  .meta({ id: 'PipeObjectStorageSourceUpdate' });
export type ObjectStorageSourceUpdate = z.output<typeof ObjectStorageSourceUpdate>;

/**
 * Two fields of which one is part of the other: the engine reads an object as a whole or by its
 * parts. In CSV and TSV dots have no meaning.
 */
export function fieldsWithin(
  format: ObjectFormat | undefined,
  fields: readonly string[],
): { part: string; whole: string } | undefined {
  if (format !== undefined && format !== 'JSONEachRow' && format !== 'Parquet') {
    return undefined;
  }
  const known = new Set(fields);
  for (const part of known) {
    for (let dot = part.indexOf('.'); dot > 0; dot = part.indexOf('.', dot + 1)) {
      if (known.has(part.slice(0, dot))) {
        return { part, whole: part.slice(0, dot) };
      }
    }
  }
  return undefined;
}

const blobFields = ['connectionString', 'containerName', 'path'] as const;

function objectStorageMistakes(
  source: Omit<ObjectStorageSourceInput, 'compression' | 'format' | 'delimiter'>,
): Mistake[] {
  return [...addressMistakes(source), ...accessMistakes(source)];
}

type Address = Pick<
  ObjectStorageSourceInput,
  'type' | 'url' | 'isContinuous' | 'queueUrl' | 'connectionString' | 'containerName' | 'path'
>;

function addressMistakes(source: Address): Mistake[] {
  const blob = blobFields.filter((name) => source[name] !== undefined);
  const mistakes: Mistake[] = [];
  if (source.type === 'azureblobstorage' && source.url !== undefined) {
    mistakes.push([
      ['url'],
      'cannot be combined with type azureblobstorage: use containerName, connectionString and path',
    ]);
  }
  if (
    source.type !== undefined &&
    source.type !== 'azureblobstorage' &&
    source.url === undefined &&
    blob.length > 0
  ) {
    mistakes.push([
      ['type'],
      'must be azureblobstorage if containerName, connectionString and path are set',
    ]);
  }
  if (source.queueUrl !== undefined && source.isContinuous !== true) {
    mistakes.push([['queueUrl'], 'requires isContinuous: true']);
  }
  if (source.url === undefined && blob.length === 0) {
    mistakes.push([['url'], 'is required (or containerName with connectionString and path)']);
  } else if (source.url !== undefined) {
    for (const name of blob) {
      mistakes.push([[name], 'cannot be combined with url']);
    }
  } else {
    for (const name of blobFields) {
      if (source[name] === undefined) {
        mistakes.push([[name], `is required with ${blob.join(' and ')}`]);
      }
    }
  }
  return mistakes;
}

type Access = Pick<
  ObjectStorageSourceInput,
  'authentication' | 'iamRole' | 'accessKey' | 'connectionString' | 'queueUrl'
>;

function accessMistakes(source: Access): Mistake[] {
  const wanted = {
    IAM_ROLE: 'iamRole',
    IAM_USER: 'accessKey',
    CONNECTION_STRING: 'connectionString',
  } as const;
  const mistakes: Mistake[] = [];
  if (source.iamRole !== undefined && source.accessKey !== undefined) {
    mistakes.push([['iamRole'], 'cannot be combined with accessKey']);
  }
  if (source.connectionString !== undefined) {
    for (const name of ['iamRole', 'accessKey', 'queueUrl'] as const) {
      if (source[name] !== undefined) {
        mistakes.push([[name], 'cannot be combined with connectionString']);
      }
    }
  }
  if (source.authentication === undefined) {
    return mistakes;
  }
  const needed = source.authentication === 'PUBLIC' ? undefined : wanted[source.authentication];
  if (needed !== undefined && source[needed] === undefined) {
    mistakes.push([[needed], `is required with authentication ${source.authentication}`]);
  }
  for (const name of Object.values(wanted)) {
    if (name !== needed && source[name] !== undefined) {
      mistakes.push([[name], `cannot be combined with authentication ${source.authentication}`]);
    }
  }
  return mistakes;
}

export const objectStorageContract = {
  input: ObjectStorageSourceInput,
  draft: ObjectStorageSourceDraft,
  record: ObjectStorageSource,
  masks: { connectionString: maskConnectionString },
  update: ObjectStorageSourceUpdate,
  virtualFields: ['_path', '_file', '_size', '_time'],
  tablesField: null,
  mistakes: objectStorageMistakes,
} as const satisfies SourceContract<ObjectStorageSourceInput>;
