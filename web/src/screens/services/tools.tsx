import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../kit/button.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import { RangeSteps, TimeRangePicker } from '../../kit/time-range-picker.tsx';
import { useKeys } from '../../view/keys.ts';
import { fromSpan, shifted } from '../../view/time-range.ts';
import type { ServicesModel } from './use-services.ts';
import styles from './services.module.css';

/** The source and the time range. */
export function Tools({ model }: { model: ServicesModel }) {
  const { source, sources, range, span, run, setRange, zoomOut, ask } = model;
  const [isTimeOpen, setTimeOpen] = useState(false);
  useKeys({
    t: () => setTimeOpen(true),
    r: run,
    '[': () => setRange(fromSpan(shifted(span, -1))),
    ']': () => setRange(fromSpan(shifted(span, 1))),
    '-': zoomOut,
  });
  return (
    <div className={styles.tools}>
      {sources.length > 1 && (
        <Listbox
          label="Source"
          value={source.id}
          choices={sources.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => ask({ source: id, service: undefined })}
        />
      )}
      <TimeRangePicker
        range={range}
        open={isTimeOpen}
        onOpenChange={setTimeOpen}
        onChange={setRange}
      />
      <RangeSteps onStep={(step) => setRange(fromSpan(shifted(span, step)))} />
      <IconButton label="Run again" shortcut="r" onClick={run}>
        <RefreshCw size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
