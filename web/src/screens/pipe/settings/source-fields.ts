import type { Pipe, PipeChange } from '../../../api/queries/pipes.ts';
import { kindOf, type PipeKind } from '../../../pipes/kinds.ts';
import { changesOf, draftOf, type EditField, type EditForm } from '../edit/edit-form.ts';

const empty = (): string => '';

const secretHint = 'The stored one is never shown. Leave it empty to keep it.';

const secret = (path: string, name: string, label: string): EditField => ({
  name,
  label,
  hint: secretHint,
  look: 'secret',
  path: `${path}.${name}`,
  read: empty,
});

const userFields = (path: string): EditField[] => [
  {
    name: 'username',
    label: 'User name',
    hint: secretHint,
    look: 'text',
    path: `${path}.username`,
    read: empty,
  },
  secret(path, 'password', 'Password'),
];

const keyFields = (path: string): EditField[] => [
  secret(path, 'accessKeyId', 'Access key id'),
  secret(path, 'secretKey', 'Secret key'),
];

const roleField = (kind: 'kafka' | 'objectStorage' | 'cloudstream'): EditField => ({
  name: 'iamRole',
  label: 'IAM role',
  hint: 'ARN of the role to assume.',
  look: 'text',
  path: `source.${kind}.iamRole`,
  read: ({ source }) => source[kind]?.iamRole ?? '',
});

function kafkaFields({ source }: Pipe): EditField[] {
  const path = 'source.kafka.credentials';
  const caCertificate: EditField = {
    name: 'caCertificate',
    label: 'CA certificate',
    hint: 'PEM certificates of the authority of the brokers.',
    look: 'lines',
    path: 'source.kafka.caCertificate',
    read: (pipe) => pipe.source.kafka?.caCertificate ?? '',
  };
  switch (source.kafka?.authentication) {
    case 'MUTUAL_TLS':
      return [
        { ...secret(path, 'certificate', 'Client certificate'), look: 'secretLines' },
        { ...secret(path, 'privateKey', 'Private key'), look: 'secretLines' },
        caCertificate,
      ];
    case 'IAM_USER':
      return [...keyFields(path), caCertificate];
    case 'IAM_ROLE':
      return [roleField('kafka'), caCertificate];
    default:
      return [...userFields(path), caCertificate];
  }
}

function objectFields({ source }: Pipe): EditField[] {
  const storage = 'source.objectStorage';
  return source.objectStorage?.containerName === undefined
    ? [...keyFields(`${storage}.accessKey`), roleField('objectStorage')]
    : [
        {
          name: 'containerName',
          label: 'Container',
          look: 'text',
          path: `${storage}.containerName`,
          read: (pipe) => pipe.source.objectStorage?.containerName ?? '',
        },
        {
          name: 'path',
          label: 'Path',
          look: 'text',
          path: `${storage}.path`,
          read: (pipe) => pipe.source.objectStorage?.path ?? '',
        },
        secret(storage, 'connectionString', 'Connection string'),
      ];
}

const postgresFields: readonly EditField[] = [
  {
    name: 'host',
    label: 'Host',
    look: 'text',
    path: 'source.postgres.host',
    read: ({ source }) => source.postgres?.host ?? '',
  },
  {
    name: 'port',
    label: 'Port',
    look: 'number',
    path: 'source.postgres.port',
    read: ({ source }) => String(source.postgres?.port ?? ''),
  },
  {
    name: 'database',
    label: 'Database',
    look: 'text',
    path: 'source.postgres.database',
    read: ({ source }) => source.postgres?.database ?? '',
  },
  ...userFields('source.postgres.credentials'),
  {
    name: 'syncIntervalSeconds',
    label: 'Sync interval (s)',
    hint: 'Maximum time between two inserts of changes.',
    look: 'number',
    path: 'source.postgres.settings.syncIntervalSeconds',
    read: ({ source }) => String(source.postgres?.settings?.syncIntervalSeconds ?? ''),
  },
  {
    name: 'pullBatchSize',
    label: 'Batch size (rows)',
    hint: 'Number of rows after which changes are inserted.',
    look: 'number',
    path: 'source.postgres.settings.pullBatchSize',
    read: ({ source }) => String(source.postgres?.settings?.pullBatchSize ?? ''),
  },
];

const fieldsOf: Record<PipeKind, (pipe: Pipe) => readonly EditField[]> = {
  kafka: kafkaFields,
  objectStorage: objectFields,
  cloudstream: () => [...keyFields('source.cloudstream.accessKey'), roleField('cloudstream')],
  postgres: () => postgresFields,
};

/** Where the source is and what opens it, as far as a PATCH may change it. */
export function sourceForm(pipe: Pipe): EditForm {
  const fields = fieldsOf[kindOf(pipe)](pipe);
  const from = draftOf(fields, pipe);
  return {
    title: 'Change the source',
    about: 'The pipe goes on from its position. Other fields of a source cannot be changed.',
    action: 'Save source',
    fields,
    target: 'pipe',
    bodyOf: (draft): PipeChange => changesOf(fields, from, draft),
    done: 'The source is saved. The readers of the pipe start over with it.',
  };
}
