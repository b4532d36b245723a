import { Notice } from '../../../kit/notice.tsx';
import { fieldsOfStep } from '../model/draft.ts';
import { shownFields } from '../model/fields.ts';
import { addressExample } from '../model/kinds/object-storage.ts';
import { kinds } from '../model/kinds/kinds.ts';
import type { ConnectionCheck } from '../model/use-check.ts';
import { OneField } from '../source-field.tsx';
import type { StepProps } from '../model/step-props.ts';
import { CheckResult } from './check-result.tsx';
import styles from '../pipe-new.module.css';

/** Where the source is and what opens it. */
export function ConnectionStep({ wizard, form, check }: StepProps & { check: ConnectionCheck }) {
  const { kind, texts, isRestored, isChanged, lostCredentials } = wizard;
  const fields = shownFields(fieldsOfStep(kind, 'connection'), texts);
  const rare = fields.filter(({ isRare }) => isRare);
  const isOpen = rare.some(({ name }) => form.issueAt(name) !== undefined);
  const lost = kinds[kind].fields.filter(({ name }) => lostCredentials.includes(name));
  return (
    <>
      {isRestored && isChanged && (
        <Notice>This is your draft from an earlier visit. Discard it to begin again.</Notice>
      )}
      {lost.length > 0 && (
        <Notice look="warning">
          The browser keeps no credentials. Enter these again:{' '}
          {lost.map(({ label }) => label).join(', ')}.
        </Notice>
      )}
      <div className={styles.columns}>
        <div className={styles.fields}>
          {fields
            .filter(({ isRare }) => !isRare)
            .map((field) => (
              <OneField
                key={field.name}
                field={field}
                wizard={wizard}
                form={form}
                {...(field.name === 'url' && { placeholder: addressExample(texts) })}
              />
            ))}
          {rare.length > 0 && (
            <details className={styles.more} open={isOpen || undefined}>
              <summary>{rare.length === 1 ? 'One more field' : 'More fields'}</summary>
              <div className={styles.fields}>
                {rare.map((field) => (
                  <OneField key={field.name} field={field} wizard={wizard} form={form} />
                ))}
              </div>
            </details>
          )}
        </div>
        <aside className={styles.side} aria-label="Check of the connection">
          <CheckResult wizard={wizard} check={check} />
        </aside>
      </div>
    </>
  );
}
