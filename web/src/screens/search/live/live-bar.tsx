import { Pause, Play } from 'lucide-react';
import { Button } from '../../../kit/button.tsx';
import { Kbd } from '../../../kit/text.tsx';
import { formatCount, plural } from '../../../view/number-format.ts';
import type { Live } from './use-live.ts';
import styles from '../search.module.css';

/** Always says whether the table follows, and what waits. */
export function LiveBar({ live }: { live: Live }) {
  const { isPaused, waiting, isSampled, error, rows } = live;
  return (
    <div className={styles.live} role="status" data-paused={isPaused || undefined}>
      <span className={styles.liveDot} aria-hidden />
      <span>{isPaused ? `Paused: ${plural(waiting, 'new row')}` : 'Following new rows'}</span>
      {isSampled && <span>More rows arrive than fit: this is a sample.</span>}
      {error && <span className={styles.liveError}>The last read failed: {error.message}</span>}
      <span className={styles.liveCount}>{formatCount(rows.length)} kept</span>
      <Button
        size="small"
        look="plain"
        icon={isPaused ? <Play size={12} aria-hidden /> : <Pause size={12} aria-hidden />}
        onClick={isPaused ? live.resume : live.pause}
      >
        {isPaused ? 'Resume' : 'Pause'} <Kbd>Space</Kbd>
      </Button>
    </div>
  );
}
