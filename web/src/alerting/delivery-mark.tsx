import { CircleCheck, CircleX, Clock } from 'lucide-react';
import type { Delivery } from '../api/queries/alerts.ts';
import styles from './deliveries.module.css';

const marks = {
  delivered: { icon: CircleCheck, word: 'Delivered' },
  pending: { icon: Clock, word: 'Pending' },
  failed: { icon: CircleX, word: 'Failed' },
};

/** The shape and the word of what became of a delivery. */
export function DeliveryMark({ status }: Pick<Delivery, 'status'>) {
  const { icon: Icon, word } = marks[status];
  return (
    <span className={styles.mark} data-status={status}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}
