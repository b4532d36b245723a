import { textOf, type SourceField } from '../fields.ts';
import { accessKeyFields, iamRoleField, signsInBy, startField } from './shared-fields.ts';

export const cloudstreamFields: readonly SourceField[] = [
  {
    name: 'region',
    label: 'Region',
    hint: 'Region of the stream.',
    placeholder: 'us-east-1',
    look: 'text',
    path: 'region',
  },
  {
    name: 'authentication',
    label: 'Access',
    look: 'choice',
    path: 'authentication',
    choices: [
      { value: 'IAM_USER', label: 'Access key' },
      { value: 'IAM_ROLE', label: 'IAM role' },
    ],
  },
  ...accessKeyFields(
    'accessKey',
    signsInBy('IAM_USER'),
    'It needs the rights to list, describe and read streams.',
  ),
  iamRoleField(signsInBy('IAM_ROLE')),
  {
    name: 'format',
    label: 'Format of the records',
    look: 'choice',
    path: 'format',
    choices: [
      { value: '', label: 'JSON' },
      { value: 'Avro', label: 'Avro with the schema in each record' },
    ],
  },
  startField('iteratorType', 'iteratorType', { latest: 'LATEST', time: 'AT_TIMESTAMP' }),
  {
    name: 'timestamp',
    label: 'Start time (Unix seconds)',
    hint: 'Seconds since 1970 in UTC.',
    placeholder: '1773480600',
    look: 'number',
    path: 'timestamp',
    isSetting: true,
    isShown: (texts) => textOf(texts, 'iteratorType') === 'AT_TIMESTAMP',
  },
  {
    name: 'useEnhancedFanOut',
    label: 'Enhanced fan-out',
    hint: 'Read with a throughput of its own, which the provider charges for.',
    look: 'switch',
    path: 'useEnhancedFanOut',
    isSetting: true,
  },
];
