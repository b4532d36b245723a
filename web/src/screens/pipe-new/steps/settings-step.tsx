import { scalingWords, settingWords } from '../../../pipes/setting-words.ts';
import { fieldsOfStep } from '../model/draft.ts';
import { shownFields, textOf, type SourceField, type Texts } from '../model/fields.ts';
import { scalingNames, settingNames } from '../model/setting-names.ts';
import type { Rules } from '../model/use-wizard.ts';
import { OneField } from '../source-field.tsx';
import type { StepProps } from '../model/step-props.ts';
import styles from '../pipe-new.module.css';

const isManaged = (texts: Texts): boolean => textOf(texts, 'isExisting') !== 'true';
const hasEngine = (name: string) => (texts: Texts) =>
  isManaged(texts) && textOf(texts, 'engine') === name;

const nameField: SourceField = {
  name: 'name',
  label: 'Name (optional)',
  hint: 'Empty: a name that follows from the source.',
  look: 'text',
};
const databaseField: SourceField = {
  name: 'database',
  label: 'Database',
  hint: 'Empty: the database of your service. Others must be allowed by the operator.',
  placeholder: 'default',
  look: 'text',
};
const tableFields: readonly SourceField[] = [
  { name: 'table', label: 'Table', hint: 'Where the records go.', look: 'text' },
  {
    name: 'isExisting',
    label: 'The table exists already',
    hint: 'Off: the pipe creates it with these columns.',
    look: 'switch',
  },
  {
    name: 'engine',
    label: 'Engine',
    look: 'choice',
    choices: [
      { value: '', label: 'MergeTree', hint: 'every record' },
      { value: 'ReplacingMergeTree', label: 'ReplacingMergeTree', hint: 'latest of each key' },
      { value: 'SummingMergeTree', label: 'SummingMergeTree', hint: 'sums of each key' },
      { value: 'Null', label: 'Null', hint: 'only for views' },
    ],
    isShown: isManaged,
  },
  {
    name: 'versionColumn',
    label: 'Version column (optional)',
    hint: 'Of rows with the same key, the one with the largest version stays.',
    look: 'text',
    isShown: hasEngine('ReplacingMergeTree'),
  },
  {
    name: 'sumColumns',
    label: 'Columns to sum (optional)',
    hint: 'Separate them with commas. Empty: all numbers outside the key.',
    look: 'text',
    isShown: hasEngine('SummingMergeTree'),
  },
  {
    name: 'partitionBy',
    label: 'Partition by (optional)',
    hint: 'An expression, such as toYYYYMM(time). Needed only for tables that drop old rows.',
    look: 'text',
    isShown: isManaged,
  },
];

/** Name, destination and how the pipe works. Everything but the table has a default. */
export function SettingsStep({ wizard, form }: StepProps) {
  const { kind, texts, rules } = wizard;
  const own = shownFields(fieldsOfStep(kind, 'settings'), texts);
  const target = kind === 'postgres' ? [] : shownFields(tableFields, texts);
  const advanced = [...own.filter(({ isRare }) => isRare), ...advancedFields(wizard.kind, rules)];
  const isOpen = advanced.some(({ name }) => form.issueAt(name) !== undefined);
  const row = (field: SourceField) => (
    <OneField key={field.name} field={field} wizard={wizard} form={form} />
  );
  return (
    <div className={styles.sections}>
      <section className={styles.fields} aria-label="Pipe">
        {row(nameField)}
        {own.filter(({ isRare }) => !isRare).map(row)}
      </section>
      <section className={styles.fields} aria-label="Destination">
        {row(databaseField)}
        {target.map(row)}
      </section>
      <details className={styles.more} open={isOpen || undefined}>
        <summary>Advanced settings and scaling</summary>
        <p className={styles.quiet}>An empty field has its default, which stands in it.</p>
        <div className={styles.pairs}>{advanced.map(row)}</div>
      </details>
    </div>
  );
}

function advancedFields(
  kind: StepProps['wizard']['kind'],
  rules: Rules | undefined,
): readonly SourceField[] {
  if (!rules) {
    return [];
  }
  const settings = settingNames(kind).map((name): SourceField => {
    const { says = '', standard = '' } = rules.settingText(name) ?? {};
    const isSwitch = standard === 'true' || standard === 'false';
    return {
      name,
      label: settingWords[name],
      hint: says,
      ...(isSwitch
        ? {
            look: 'choice',
            choices: [
              { value: '', label: `Default: ${standard === 'true' ? 'on' : 'off'}` },
              { value: 'true', label: 'On' },
              { value: 'false', label: 'Off' },
            ],
          }
        : { look: 'number', placeholder: standard }),
    };
  });
  const scaling = scalingNames.map((name): SourceField => {
    const [label, hint] = scalingWords[name];
    return { name, label, hint, look: 'number', placeholder: rules.scalingDefault(name) };
  });
  return [...scaling, ...settings];
}
