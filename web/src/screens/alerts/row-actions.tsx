import { BellOff, Check } from 'lucide-react';
import type { Alert } from '../../api/queries/alerts.ts';
import { AlertMenu } from '../../alerting/alert-menu.tsx';
import { SilenceMenu } from '../../alerting/silence-menu.tsx';
import { nameOf } from '../../alerting/states.ts';
import { IconButton } from '../../kit/button.tsx';
import { ActionsCell } from '../../kit/list-table.tsx';
import styles from './alerts.module.css';

interface RowActionsProps {
  alert: Alert;
  isSilencing: boolean;
  onDo(what: 'silence' | 'acknowledge' | undefined): void;
}

/** What is done from the list: acknowledge, silence, and what is rarer. */
export function RowActions({ alert, isSilencing, onDo }: RowActionsProps) {
  const name = nameOf(alert);
  return (
    <ActionsCell>
      {alert.state === 'firing' && (
        <IconButton
          label={`Acknowledge ${name}`}
          shortcut="a"
          aria-pressed={alert.acknowledgements !== undefined}
          onClick={() => onDo('acknowledge')}
        >
          <Check size={16} aria-hidden />
        </IconButton>
      )}
      <SilenceMenu
        alert={alert}
        open={isSilencing}
        onOpenChange={(open) => onDo(open ? 'silence' : undefined)}
        trigger={
          <IconButton label={`Silence ${name}`} shortcut="s" aria-pressed={alert.silenced}>
            <BellOff size={16} aria-hidden />
          </IconButton>
        }
      />
      <span className={styles.rare}>
        <AlertMenu alert={alert} />
      </span>
    </ActionsCell>
  );
}
