import { textOf, type SourceField, type Texts } from '../fields.ts';
import { accessKeyFields, iamRoleField, signsInBy } from './shared-fields.ts';

const isAzure = (texts: Texts): boolean => textOf(texts, 'type') === 'azureblobstorage';
const isBucket = (texts: Texts): boolean => !isAzure(texts);
const hasAccess = (method: string) => (texts: Texts) => isBucket(texts) && signsInBy(method)(texts);

/** An example of the address for each provider. */
const addresses: Record<string, string> = {
  '': 'https://s3.example.com/bucket/folder/*.json',
  s3: 's3://bucket/folder/*.json',
  gcs: 'https://storage.googleapis.com/bucket/folder/*.json',
  r2: 'https://<account>.r2.cloudflarestorage.com/bucket/*.json',
  dospaces: 'https://bucket.fra1.digitaloceanspaces.com/folder/*.json',
  ovhobjectstorage: 'https://s3.gra.io.cloud.ovh.net/bucket/folder/*.json',
};

export const addressExample = (texts: Texts): string =>
  addresses[textOf(texts, 'type')] ?? addresses[''] ?? '';

export const objectStorageFields: readonly SourceField[] = [
  {
    name: 'type',
    label: 'Provider',
    look: 'choice',
    path: 'type',
    choices: [
      { value: '', label: 'Any S3-compatible storage' },
      { value: 's3', label: 'Amazon S3' },
      { value: 'gcs', label: 'Google Cloud Storage' },
      { value: 'azureblobstorage', label: 'Azure Blob Storage' },
      { value: 'r2', label: 'Cloudflare R2' },
      { value: 'dospaces', label: 'DigitalOcean Spaces' },
      { value: 'ovhobjectstorage', label: 'OVH Object Storage' },
    ],
  },
  {
    name: 'url',
    label: 'URL of the objects',
    hint: 'Bucket and key. * stands for any text in a name, ** also for folders, {a,b} for either.',
    look: 'text',
    path: 'url',
    isShown: isBucket,
  },
  {
    name: 'containerName',
    label: 'Container',
    hint: 'Name of the container in the storage account.',
    look: 'text',
    path: 'containerName',
    isShown: isAzure,
  },
  {
    name: 'path',
    label: 'Path of the blobs',
    hint: '* stands for any text in a name, ** also for folders, {a,b} for either.',
    placeholder: 'folder/*.json',
    look: 'text',
    path: 'path',
    isShown: isAzure,
  },
  {
    name: 'connectionString',
    label: 'Connection string',
    hint: 'In the Azure portal: Access keys, or Shared access signature, of the storage account.',
    placeholder: 'AccountName=…;AccountKey=…',
    look: 'secret',
    path: 'connectionString',
    isCredential: true,
    isShown: isAzure,
  },
  {
    name: 'authentication',
    label: 'Access',
    look: 'choice',
    path: 'authentication',
    choices: [
      { value: '', label: 'Public objects' },
      { value: 'IAM_USER', label: 'Access key' },
      { value: 'IAM_ROLE', label: 'IAM role' },
    ],
    isShown: isBucket,
  },
  ...accessKeyFields(
    'accessKey',
    hasAccess('IAM_USER'),
    'It needs the rights to list the bucket and to read its objects.',
  ),
  iamRoleField(hasAccess('IAM_ROLE')),
  {
    name: 'format',
    label: 'Format',
    look: 'choice',
    path: 'format',
    isRare: true,
    choices: [
      { value: '', label: 'As the name of the object says' },
      { value: 'JSONEachRow', label: 'JSON, an object in each line' },
      { value: 'CSV', label: 'CSV' },
      { value: 'CSVWithNames', label: 'CSV with a header line' },
      { value: 'TabSeparated', label: 'TSV' },
      { value: 'TabSeparatedWithNames', label: 'TSV with a header line' },
      { value: 'Parquet', label: 'Parquet' },
      { value: 'Avro', label: 'Avro' },
    ],
  },
  {
    name: 'delimiter',
    label: 'Delimiter',
    hint: 'Between the values of a line: one ASCII character. Empty: a comma.',
    look: 'text',
    path: 'delimiter',
    isRare: true,
    isShown: (texts) => textOf(texts, 'format').startsWith('CSV'),
  },
  {
    name: 'compression',
    label: 'Compression',
    look: 'choice',
    path: 'compression',
    isRare: true,
    choices: [
      { value: '', label: 'As the name of the object says' },
      { value: 'none', label: 'None' },
      { value: 'gzip', label: 'gzip' },
      { value: 'zstd', label: 'zstd' },
      { value: 'brotli', label: 'Brotli' },
      { value: 'xz', label: 'xz' },
      { value: 'LZMA', label: 'LZMA' },
    ],
  },
  {
    name: 'isContinuous',
    label: 'Keep loading new objects',
    hint: 'Off: the pipe loads the objects that are there when it starts, and completes.',
    look: 'switch',
    path: 'isContinuous',
    isSetting: true,
  },
  {
    name: 'queueUrl',
    label: 'URL of a queue (optional)',
    hint: 'A queue that announces new objects. Without one, the pipe lists the bucket now and then.',
    look: 'text',
    path: 'queueUrl',
    isSetting: true,
    isShown: (texts) => isBucket(texts) && textOf(texts, 'isContinuous') === 'true',
  },
];
