import { BellOff, Check, Pencil } from 'lucide-react';
import type { Alert } from '../../api/queries/alerts.ts';
import { AlertMenu } from '../../alerting/alert-menu.tsx';
import { AppLinkButton } from '../../alerting/app-link.tsx';
import { SilenceMenu } from '../../alerting/silence-menu.tsx';
import { StateMark } from '../../alerting/state-mark.tsx';
import { nameOf, statesOf } from '../../alerting/states.ts';
import { Button } from '../../kit/button.tsx';
import { ObjectHead } from '../../kit/object-head.tsx';
import { RangeSteps, TimeRangePicker } from '../../kit/time-range-picker.tsx';
import { fromSpan, shifted } from '../../view/time-range.ts';
import type { AlertModel } from './model.ts';
import styles from './alert.module.css';

type Open = 'silence' | 'acknowledge' | 'time' | undefined;

interface HeadProps {
  alert: Alert;
  model: AlertModel;
  open: Open;
  onOpen(open: Open): void;
  onAcknowledge(): void;
  onDeleted(): void;
}

/** Name and state of an alert, and what is done about it. */
export function Head({ alert, model, open, onOpen, onAcknowledge, onDeleted }: HeadProps) {
  return (
    <ObjectHead
      back={{ to: '/alerts', label: 'Alerts' }}
      name={nameOf(alert)}
      marks={
        <span className={styles.marks}>
          {statesOf(alert).map((state) => (
            <StateMark key={state} state={state} />
          ))}
        </span>
      }
    >
      {alert.state === 'firing' && (
        <Button
          icon={<Check size={14} aria-hidden />}
          aria-keyshortcuts="a"
          onClick={onAcknowledge}
        >
          Acknowledge
        </Button>
      )}
      <SilenceMenu
        alert={alert}
        open={open === 'silence'}
        onOpenChange={(isOpen) => onOpen(isOpen ? 'silence' : undefined)}
        trigger={
          <Button icon={<BellOff size={14} aria-hidden />} aria-keyshortcuts="s">
            Silence
          </Button>
        }
      />
      <AppLinkButton href={`/alerts/${alert.id}/edit`} aria-keyshortcuts="e">
        <Pencil size={14} aria-hidden />
        Edit
      </AppLinkButton>
      <AlertMenu alert={alert} onDeleted={onDeleted} />
      <span className={styles.time}>
        <TimeRangePicker
          range={model.range}
          open={open === 'time'}
          onOpenChange={(isOpen) => onOpen(isOpen ? 'time' : undefined)}
          onChange={model.setRange}
        />
        <RangeSteps onStep={(step) => model.setRange(fromSpan(shifted(model.span, step)))} />
      </span>
    </ObjectHead>
  );
}
