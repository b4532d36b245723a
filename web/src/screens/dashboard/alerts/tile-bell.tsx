import { Link, useNavigate } from '@tanstack/react-router';
import { Bell, BellOff } from 'lucide-react';
import type { Alert } from '../../../api/queries/alerts.ts';
import { StateMark } from '../../../alerting/state-mark.tsx';
import { nameOf, statesOf, stateWords, type StateFilter } from '../../../alerting/states.ts';
import { thresholdPhrase } from '../../../alerting/words.ts';
import { Menu, MenuItem, MenuLabel } from '../../../kit/menu.tsx';
import { Hidden } from '../../../kit/text.tsx';
import { Tooltip } from '../../../kit/tooltip.tsx';
import styles from './tile-bell.module.css';

interface TileBellProps {
  /** By urgency. */
  alerts: readonly Alert[];
  format(value: number): string;
}

/** The most urgent state of the alerts of a tile, and the way to each. */
export function TileBell({ alerts, format }: TileBellProps) {
  const [first, ...others] = alerts;
  if (!first) {
    return null;
  }
  return others.length === 0 ? (
    <OneAlert alert={first} format={format} />
  ) : (
    <SeveralAlerts alerts={alerts} format={format} />
  );
}

function OneAlert({ alert, format }: { alert: Alert; format: TileBellProps['format'] }) {
  const text = `${stateText(alert)}: ${nameOf(alert)}, ${ruleOf(alert, format)}`;
  return (
    <Tooltip text={text}>
      <Link to="/alerts/$id" params={{ id: alert.id }} className={styles.bell} aria-label={text}>
        <State alerts={[alert]} />
      </Link>
    </Tooltip>
  );
}

function SeveralAlerts({ alerts, format }: TileBellProps) {
  const navigate = useNavigate();
  return (
    <Menu
      trigger={
        <button type="button" className={styles.bell}>
          <Hidden>Alerts: </Hidden>
          <State alerts={alerts} /> +{alerts.length - 1}
        </button>
      }
    >
      <MenuLabel>Alerts of this tile</MenuLabel>
      {alerts.map((alert) => (
        <MenuItem
          key={alert.id}
          icon={<StateMark state={firstState(alert)} isShort />}
          onSelect={() => void navigate({ to: '/alerts/$id', params: { id: alert.id } })}
        >
          <span className={styles.item}>
            <span>{nameOf(alert)}</span>
            <span className={styles.note}>
              {stateText(alert)}, {ruleOf(alert, format)}
            </span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}

/** A bell and the most urgent state. The usual one has no word if it is alone. */
function State({ alerts }: { alerts: readonly Alert[] }) {
  const state = alerts[0] ? firstState(alerts[0]) : 'inactive';
  const Icon = alerts.every(({ silenced }) => silenced) ? BellOff : Bell;
  return (
    <>
      <Icon size={12} aria-hidden />
      <StateMark state={state} isShort={state === 'inactive' && alerts.length === 1} />
    </>
  );
}

const firstState = (alert: Alert): StateFilter => statesOf(alert)[0] ?? 'inactive';

/** `Firing, silenced` */
function stateText(alert: Alert): string {
  const [first = '', ...others] = statesOf(alert).map((state) => stateWords[state]);
  return [first, ...others.map((word) => word.toLowerCase())].join(', ');
}

/** `at or above 10 in 5m` */
const ruleOf = (alert: Alert, format: TileBellProps['format']): string =>
  `${thresholdPhrase(alert, format)} in ${alert.interval}`;
