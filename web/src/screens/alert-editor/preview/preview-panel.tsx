import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { previewQuery, type AlertPreview } from '../../../api/queries/alert-preview.ts';
import type { Alert } from '../../../api/queries/alerts.ts';
import { breachBands } from '../../../alerting/thresholds.ts';
import { thresholdSigns } from '../../../alerting/words.ts';
import { ThresholdChart, type Bound } from '../../../charts/threshold-chart.tsx';
import { Legend } from '../../../charts/legend.tsx';
import type { ValueBand } from '../../../charts/uplot-options.ts';
import { Listbox } from '../../../kit/listbox.tsx';
import { Empty, Failure, LoadBar, Skeleton, Waiting } from '../../../kit/state.tsx';
import { plural } from '../../../view/number-format.ts';
import { ColorBook } from '../../../view/series-colors.ts';
import { usePref } from '../../../view/use-pref.ts';
import { formatTime, zoneName } from '../../../view/zone.ts';
import { numberOf, takesMax } from '../model/draft.ts';
import type { EditorModel } from '../model/use-editor.ts';
import { PreviewTables } from './preview-tables.tsx';
import { previewData, type PreviewData } from './preview-data.ts';
import styles from './preview.module.css';

/** What the alert would have done: its values with the limits, and how often it would have fired. */
export function PreviewPanel({ model }: { model: EditorModel }) {
  const { preview, watched } = model;
  const { query, body, windows, setWindows } = preview;
  const hasSource = watched.search !== undefined || watched.tile !== undefined;
  return (
    <section className={styles.panel} aria-label="Preview">
      <div className={styles.head}>
        <h2>Preview</h2>
        <Listbox
          label="Windows"
          value={String(windows)}
          choices={windowCounts}
          onChange={(count) => setWindows(Number(count))}
        />
      </div>
      {body === undefined && (query.data === undefined || !hasSource) ? (
        <Empty title="Nothing to preview yet">
          {hasSource
            ? 'The threshold must be a number.'
            : 'Choose a saved search or a tile. Its last values appear here, with the threshold to drag.'}
        </Empty>
      ) : (
        <Answer model={model} />
      )}
    </section>
  );
}

const windowCounts = [20, 50, 100, 200, 500].map((count) => ({
  value: String(count),
  label: `Last ${count} windows`,
}));

function Answer({ model }: { model: EditorModel }) {
  const { query, body, isOld, hasFieldError } = model.preview;
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = query;
  if (error && !hasFieldError) {
    return <Failure title="The preview failed" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return error ? (
      <Empty title="Nothing to preview yet">A field has a mistake.</Empty>
    ) : (
      <Skeleton lines={8} height={36} />
    );
  }
  return (
    <>
      <Waiting
        isOn={isFetching}
        what="Evaluating"
        onCancel={() => void client.cancelQueries({ queryKey: previewQuery(body).queryKey })}
      />
      <div className={styles.answer} data-old={isOld || undefined}>
        <LoadBar isOn={isFetching} />
        <Shown model={model} answer={data} />
      </div>
    </>
  );
}

function Shown({ model, answer }: { model: EditorModel; answer: AlertPreview }) {
  const [pref] = usePref('zone');
  const zone = zoneName(pref);
  const [book] = useState(() => new ColorBook());
  const { thresholdType, threshold, thresholdMax } = model.draft;
  const bands = useMemo(
    () => bandsOf(thresholdType, numberOf(threshold), numberOf(thresholdMax)),
    [thresholdType, threshold, thresholdMax],
  );
  const shown = useMemo(() => previewData(answer, book), [answer, book]);
  if (!shown) {
    return <Empty title="No window is complete yet">Try again after the first one.</Empty>;
  }
  const { format } = model.watched;
  const { startMs, endMs } = shown.span;
  return (
    <>
      <p className={styles.verdict} role="status">
        {verdictOf(shown, answer)}
      </p>
      <p className={styles.about}>
        {formatTime(startMs, zone, 'minute')} to {formatTime(endMs, zone, 'minute')}.{' '}
        {nowText[answer.state]}
      </p>
      <div className={styles.chart}>
        <ThresholdChart
          label="Values of the windows"
          kind={shown.kind}
          data={shown.data}
          span={shown.span}
          zone={zone}
          format={format}
          bounds={boundsOf(model)}
          marked={bands}
          marks={shown.marks}
        />
      </div>
      <Legend
        series={shown.data.series.filter(({ values }) => values.some((one) => one !== null))}
      />
      {!shown.hasValues && (
        <p className={styles.about}>
          No window has data. The field “A window without data” decides.
        </p>
      )}
      <PreviewTables answer={answer} zone={zone} format={format} />
    </>
  );
}

function verdictOf({ firedCount }: PreviewData, { windows }: AlertPreview): string {
  const within = `in ${plural(windows.length, 'window')}`;
  return firedCount === 0
    ? `Would not have fired ${within}`
    : `Would have fired ${plural(firedCount, 'time')} ${within}`;
}

const nowText: Readonly<Record<AlertPreview['state'], string>> = {
  firing: 'It would fire now.',
  pending: 'It would be pending now.',
  inactive: 'It would be inactive now.',
};

/** The thresholds to drag: those that are numbers. */
function boundsOf({ draft, change, watched: { format } }: EditorModel): Bound[] {
  const { thresholdType } = draft;
  const isRange = takesMax(thresholdType);
  const sign = isRange ? '' : `${thresholdSigns[thresholdType]} `;
  const lower: Bound = {
    label: 'Threshold',
    value: numberOf(draft.threshold),
    text: `${sign}${format(numberOf(draft.threshold))}`,
    onChange: (threshold) => change({ threshold: String(threshold) }),
  };
  const upper: Bound = {
    label: 'Upper threshold',
    value: numberOf(draft.thresholdMax),
    text: format(numberOf(draft.thresholdMax)),
    onChange: (thresholdMax) => change({ thresholdMax: String(thresholdMax) }),
  };
  return [lower, ...(isRange ? [upper] : [])].filter(({ value }) => Number.isFinite(value));
}

/** Values that breach the threshold, as far as it is a number. */
function bandsOf(
  thresholdType: Alert['thresholdType'],
  threshold: number,
  max: number,
): ValueBand[] {
  const isRange = takesMax(thresholdType);
  const isWhole = isRange ? max >= threshold : Number.isFinite(threshold);
  return isWhole
    ? breachBands({ thresholdType, threshold, ...(isRange && { thresholdMax: max }) })
    : [];
}
