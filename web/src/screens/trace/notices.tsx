import { Info } from 'lucide-react';
import { missingShardsText } from '../../view/missing-shards.ts';
import { formatCount, plural } from '../../view/number-format.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatClock, zoneName } from '../../view/zone.ts';
import type { TraceModel } from './use-trace-model.ts';
import styles from './trace.module.css';

/** Why the trace was not loaded again, and since when it is the same. */
export interface Stale {
  reason: string;
  atMs: number;
}

interface NoticesProps {
  model: TraceModel;
  stale: Stale | undefined;
}

/** What is not as in a complete trace, in place. */
export function Notices({ model, stale }: NoticesProps) {
  const [zonePref] = usePref('zone');
  const texts = noticesOf(model);
  if (stale) {
    const time = formatClock(stale.atMs, zoneName(zonePref));
    texts.unshift(`The trace was not loaded again. It is shown as of ${time}. ${stale.reason}`);
  }
  return texts.length === 0 ? null : (
    <ul className={styles.notices} aria-label="Notes about this trace">
      {texts.map((text) => (
        <li key={text}>
          <Info size={14} aria-hidden />
          {text}
        </li>
      ))}
    </ul>
  );
}

function noticesOf({ trace, tree, params }: TraceModel): string[] {
  const { rootCount, missingParents, loops } = tree;
  const texts: string[] = [];
  if (trace.missingShards && trace.missingShards.length > 0) {
    texts.push(`${missingShardsText(trace.missingShards)} Spans of this trace may be missing.`);
  }
  if (trace.truncated) {
    const shown = formatCount(trace.spans.length);
    texts.push(
      `The trace has ${plural(trace.spanCount, 'span')}. Only the earliest ${shown} are shown.`,
    );
  }
  if (missingParents > 0) {
    const [spans, their] =
      missingParents === 1
        ? ['1 span names a', 'It']
        : [`${formatCount(missingParents)} spans name a`, 'They'];
    texts.push(`${spans} parent that is not in the trace. ${their} may be late, or not sampled.`);
  }
  if (loops > 0) {
    texts.push(
      loops === 1
        ? '1 span names itself or a span below it as its parent.'
        : `${formatCount(loops)} spans name themselves or a span below them as their parent.`,
    );
  }
  const others = rootCount - missingParents - loops;
  if (others > 1) {
    texts.push(
      `${plural(others, 'span')} have no parent. The critical path is of the longest one.`,
    );
  }
  if (params.span !== undefined && !tree.bySpan.has(params.span)) {
    texts.push(`The trace has no span ${params.span}.`);
  }
  return texts;
}
