import { z } from 'zod';
import { AccessKeyCredentials, IamRole, WebAddress } from './fields.ts';
import { ObjectPath, ObjectUrl } from './object-url.ts';

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

/** What the engine takes for the end of a value: one byte. With a dot, an apostrophe, L or U it does not know a value from its end. */
const Delimiter = z
  .string()
  .refine(
    (text) => text.length === 1 && text > '\0' && text < '\x80' && !/[\r\n".'LU]/.test(text),
    'must be one ASCII character; not a quote, a dot, L, U or the end of a line',
  );

const common = {
  type: z
    .enum(['s3', 'gcs', 'azureblobstorage', 'dospaces', 'r2', 'ovhobjectstorage', 'cloudflarer2'])
    .optional(),
  format: ObjectFormat.optional().meta({
    description: 'By the extension of the name where absent',
  }),
  authentication: z.enum(['IAM_ROLE', 'IAM_USER', 'CONNECTION_STRING', 'PUBLIC']).optional(),
  url: ObjectUrl.optional().meta({ description: 'Glob patterns: ? * ** {a,b}' }),
  delimiter: Delimiter.optional().meta({
    description: 'Between values of CSV; a comma where absent',
  }),
  compression: ObjectCompression.optional(),
  isContinuous: z
    .boolean()
    .optional()
    .meta({ description: 'Goes on with new objects; otherwise the pipe completes' }),
  queueUrl: WebAddress.optional(),
  iamRole: IamRole.optional(),
  path: ObjectPath.optional(),
  containerName: z
    .string()
    .regex(
      /^(\$root|\$web|[a-z0-9](?:-?[a-z0-9]){2,62})$/,
      'must be a container name: 3 to 63 lower-case letters, digits and single "-"',
    )
    .optional(),
};

/** `Name=value` pairs, `;` between them, with an account. */
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
      const at = part.indexOf('=');
      return at < 0 ? ['', part] : [part.slice(0, at).trim(), part.slice(at + 1)];
    });
}

/** What stands in an answer in place of each secret value. */
export const connectionStringMask = '***';
const secretParts = new Set([
  'accountkey',
  'sharedaccesssignature',
  'sharedaccesskey',
  'password',
  'sig',
]);

/** The connection string with its keys masked: the only form that leaves. Connection parts that are not known to be harmless are masked too. */
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
  connectionString: ConnectionString.optional(),
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

export const ObjectStorageSource = z
  .object({
    ...common,
    connectionString: z.string().optional().meta({ description: 'With its key masked' }),
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
  })
  .meta({ id: 'PipeObjectStorageSourceUpdate' });
export type ObjectStorageSourceUpdate = z.output<typeof ObjectStorageSourceUpdate>;

/** Fields of which one lies within another: an object is read either whole or by its parts. In lines of values dots mean nothing. */
export function fieldsWithin(
  format: ObjectFormat | undefined,
  fields: readonly string[],
): { part: string; whole: string } | undefined {
  if (format !== undefined && format !== 'JSONEachRow' && format !== 'Parquet') {
    return undefined;
  }
  const known = new Set(fields);
  for (const part of known) {
    for (let at = part.indexOf('.'); at > 0; at = part.indexOf('.', at + 1)) {
      if (known.has(part.slice(0, at))) {
        return { part, whole: part.slice(0, at) };
      }
    }
  }
  return undefined;
}

const blobFields = ['connectionString', 'containerName', 'path'] as const;

/** Rules between fields; also asked of a stored source after a PATCH. */
export function objectStorageMistakes(
  source: Omit<ObjectStorageSourceInput, 'compression' | 'format' | 'delimiter'>,
): [path: string[], message: string][] {
  return [...addressMistakes(source), ...accessMistakes(source)];
}

type Address = Pick<
  ObjectStorageSourceInput,
  'type' | 'url' | 'isContinuous' | 'queueUrl' | 'connectionString' | 'containerName' | 'path'
>;

function addressMistakes(source: Address): [string[], string][] {
  const blob = blobFields.filter((name) => source[name] !== undefined);
  const mistakes: [string[], string][] = [];
  if (source.type === 'azureblobstorage' && source.url !== undefined) {
    mistakes.push([
      ['url'],
      'does not go with type azureblobstorage: give containerName, connectionString and path',
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
      'must be azureblobstorage with containerName, connectionString and path',
    ]);
  }
  if (source.queueUrl !== undefined && source.isContinuous !== true) {
    mistakes.push([['queueUrl'], 'needs isContinuous: true']);
  }
  if (source.url === undefined && blob.length === 0) {
    mistakes.push([['url'], 'is required (or containerName with connectionString and path)']);
  } else if (source.url !== undefined) {
    for (const name of blob) {
      mistakes.push([[name], 'does not go with url']);
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

function accessMistakes(source: Access): [string[], string][] {
  const wanted = {
    IAM_ROLE: 'iamRole',
    IAM_USER: 'accessKey',
    CONNECTION_STRING: 'connectionString',
  } as const;
  const mistakes: [string[], string][] = [];
  if (source.iamRole !== undefined && source.accessKey !== undefined) {
    mistakes.push([['iamRole'], 'does not go with accessKey']);
  }
  if (source.connectionString !== undefined) {
    for (const name of ['iamRole', 'accessKey', 'queueUrl'] as const) {
      if (source[name] !== undefined) {
        mistakes.push([[name], 'does not go with connectionString']);
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
      mistakes.push([[name], `does not go with authentication ${source.authentication}`]);
    }
  }
  return mistakes;
}
