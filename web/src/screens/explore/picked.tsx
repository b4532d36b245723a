import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { bucketLabel } from '../../charts/histogram.tsx';
import { Swatch } from '../../charts/legend.tsx';
import type { TimeData } from '../../charts/time-data.ts';
import { IconButton } from '../../kit/button.tsx';
import { useScene } from '../../tiles/scene.ts';
import type { Span } from '../../view/time-range.ts';
import { RowsLink } from './rows-link.tsx';
import type { searchOfValue } from '../../tiles/model/search-link.ts';
import styles from './explore.module.css';

interface PickedProps {
  /** Start of the bucket. */
  startMs: number;
  data: TimeData;
  format(value: number): string;
  searchOf(name: string, span: Span): ReturnType<typeof searchOfValue>;
  onClose(): void;
}

/** The values of one bucket, each with the way to its rows. */
export function Picked({ startMs, data, format, searchOf, onClose }: PickedProps) {
  const { zone } = useScene();
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), [startMs]);
  const index = data.timesMs.indexOf(startMs);
  const span = { startMs, endMs: startMs + data.bucketMs };
  const values = data.series.flatMap(({ values: all, ...look }) => {
    const value = all[index];
    return value == null ? [] : [{ ...look, value }];
  });
  return (
    <section
      className={styles.picked}
      aria-label="Bucket"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className={styles.pickedHead}>
        <h2 ref={head} tabIndex={-1}>
          {bucketLabel(startMs, data.bucketMs, zone)}
        </h2>
        <IconButton label="Close the bucket" size="small" onClick={onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      {values.length === 0 && <p className={styles.note}>No value in this bucket.</p>}
      <ul className={styles.pickedValues}>
        {values.map(({ name, color, isDashed, value }) => (
          <li key={name}>
            <Swatch color={color} isDashed={isDashed} />
            <span className={styles.pickedName}>{name}</span>
            <b>{format(value)}</b>
            <RowsLink name={name} search={searchOf(name, span)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
