import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { sourceFieldsQuery } from '../../api/queries/sources.ts';
import { noDataWords, thresholdPhrases, thresholdSigns } from '../../alerting/words.ts';
import { ControlField, Field } from '../../kit/field.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import { formatCount } from '../../view/number-format.ts';
import { choicesOf } from './choices-of.ts';
import { numberOf, takesMax } from './model/draft.ts';
import type { EditorModel } from './model/use-editor.ts';
import styles from './alert-editor.module.css';

const comparisonChoices = choicesOf(thresholdPhrases).map((choice) => ({
  ...choice,
  ...(!takesMax(choice.value) && { hint: thresholdSigns[choice.value] }),
}));

/** Common windows; any other can be typed. */
const intervals = ['1m', '5m', '10m', '15m', '30m', '1h', '6h', '1d'];

/** When the alert fires. */
export function ConditionFields({ model }: { model: EditorModel }) {
  const { draft, change, form, watched } = model;
  const isRange = takesMax(draft.thresholdType);
  return (
    <section className={styles.section} aria-label="Condition">
      <h2>Condition</h2>
      <div className={styles.row}>
        <ControlField label="Fires when the value is" error={form.issueAt('thresholdType')}>
          <Listbox
            label="Fires when the value is"
            value={draft.thresholdType}
            choices={comparisonChoices}
            onChange={(thresholdType) => change({ thresholdType })}
          />
        </ControlField>
        <Field
          label="Threshold"
          name="threshold"
          inputMode="decimal"
          autoComplete="off"
          value={draft.threshold}
          hint={formattedHint(draft.threshold, watched.format)}
          error={form.issueAt('threshold')}
          onChange={({ target }) => change({ threshold: target.value })}
        />
        {isRange && (
          <Field
            label="and"
            aria-label="Upper threshold"
            name="thresholdMax"
            inputMode="decimal"
            autoComplete="off"
            value={draft.thresholdMax}
            hint={formattedHint(draft.thresholdMax, watched.format)}
            error={form.issueAt('thresholdMax')}
            onChange={({ target }) => change({ thresholdMax: target.value })}
          />
        )}
      </div>
      <Schedule model={model} />
      <GroupField model={model} />
      <ControlField label="A window without data">
        <Listbox
          label="A window without data"
          value={draft.noData}
          choices={choicesOf(noDataWords)}
          onChange={(noData) => change({ noData })}
        />
      </ControlField>
    </section>
  );
}

/** The number as the tile shows it, such as `6.0 %` for 0.06. */
function formattedHint(text: string, format: (value: number) => string): string | undefined {
  const number = numberOf(text);
  const shown = format(number);
  const isOther = Number.isFinite(number) && shown !== formatCount(number) && shown !== text.trim();
  return isOther ? `Shown as ${shown}.` : undefined;
}

function Schedule({ model: { draft, change, form } }: { model: EditorModel }) {
  const id = useId();
  return (
    <div className={styles.row}>
      <datalist id={id}>
        {intervals.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Field
        label="Window"
        name="interval"
        list={id}
        hint="Length of a window, from 1m to 7d."
        autoComplete="off"
        value={draft.interval}
        error={form.issueAt('interval')}
        onChange={({ target }) => change({ interval: target.value })}
      />
      <Field
        label="Windows in a row"
        name="numConsecutiveWindows"
        inputMode="numeric"
        hint="Breaching windows before the alert fires."
        autoComplete="off"
        value={draft.numConsecutiveWindows}
        error={form.issueAt('numConsecutiveWindows')}
        onChange={({ target }) => change({ numConsecutiveWindows: target.value })}
      />
    </div>
  );
}

function GroupField({ model: { draft, change, form, watched } }: { model: EditorModel }) {
  const id = useId();
  const { sourceId, ownGroups } = watched;
  const { data: fields = [] } = useQuery({
    ...sourceFieldsQuery(sourceId ?? ''),
    enabled: sourceId !== undefined,
  });
  return (
    <>
      <datalist id={id}>
        {fields.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Field
        label="Group by (optional)"
        name="groupBy"
        list={id}
        autoComplete="off"
        spellCheck={false}
        placeholder={ownGroups === '' ? 'ServiceName' : ownGroups}
        hint={
          ownGroups === ''
            ? 'Columns, separated by commas. Each group fires and resolves on its own.'
            : 'Leave empty for the groups of the tile. Each group fires and resolves on its own.'
        }
        value={draft.groupBy}
        error={form.issueAt('groupBy')}
        onChange={({ target }) => change({ groupBy: target.value })}
      />
    </>
  );
}
