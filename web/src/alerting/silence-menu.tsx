import { BellOff, BellRing } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { ApiError } from '../api/api-error.ts';
import { endSilence, silenceAlert, type Alert } from '../api/queries/alerts.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../kit/menu.tsx';
import { MomentField } from '../kit/moment-field.tsx';
import { ErrorText } from '../kit/state.tsx';
import { toast } from '../kit/toast.tsx';
import { tomorrowAtNine } from '../view/future.ts';
import { usePref } from '../view/use-pref.ts';
import { formatTime, zoneName } from '../view/zone.ts';
import { nameOf } from './states.ts';

const hourMs = 3_600_000;

interface SilenceMenuProps {
  alert: Alert;
  /** The button that opens the menu. */
  trigger: ReactElement;
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** For how long an alert sends nothing. */
export function SilenceMenu({ alert, trigger, open, onOpenChange }: SilenceMenuProps) {
  const [isAsking, setAsking] = useState(false);
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const silence = (untilMs?: number): void => void silenced(alert, zone, untilMs);
  return (
    <>
      <Menu align="end" trigger={trigger} open={open} onOpenChange={onOpenChange}>
        <MenuLabel>Send nothing for</MenuLabel>
        <MenuItem onSelect={() => silence(Date.now() + hourMs)}>1 hour</MenuItem>
        <MenuItem onSelect={() => silence(Date.now() + 4 * hourMs)}>4 hours</MenuItem>
        <MenuItem onSelect={() => silence(tomorrowAtNine(zone, Date.now()))}>
          Until tomorrow 9:00
        </MenuItem>
        <MenuItem onSelect={() => setAsking(true)}>Until…</MenuItem>
        <MenuItem icon={<BellOff size={14} aria-hidden />} onSelect={() => silence()}>
          Until somebody ends it
        </MenuItem>
        {alert.silenced && (
          <>
            <MenuSeparator />
            <MenuItem
              icon={<BellRing size={14} aria-hidden />}
              onSelect={() => void silenceEnded(alert)}
            >
              End the silence
            </MenuItem>
          </>
        )}
      </Menu>
      {isAsking && <UntilDialog alert={alert} zone={zone} onClose={() => setAsking(false)} />}
    </>
  );
}

const untilText = (zone: string, untilMs: number | undefined): string =>
  untilMs === undefined
    ? 'until somebody ends the silence'
    : `until ${formatTime(untilMs, zone, 'minute')}`;

async function silenced(alert: Alert, zone: string, untilMs?: number): Promise<void> {
  try {
    await silenceAlert(alert.id, untilMs);
    toast(`“${nameOf(alert)}” sends nothing ${untilText(zone, untilMs)}.`);
  } catch (error) {
    say(error);
  }
}

export async function silenceEnded(alert: Alert): Promise<void> {
  try {
    await endSilence(alert.id);
    toast(`“${nameOf(alert)}” is not silenced any more.`);
  } catch (error) {
    say(error);
  }
}

const say = (error: unknown): void =>
  toast(error instanceof ApiError ? error.message : String(error), 'error');

function UntilDialog({ alert, zone, onClose }: { alert: Alert; zone: string; onClose(): void }) {
  const [untilMs, setUntil] = useState<number | undefined>(() => tomorrowAtNine(zone, Date.now()));
  const { isBusy, error, run } = useAction();
  const isPast = untilMs !== undefined && untilMs <= Date.now();
  const save = async (): Promise<void> => {
    if (untilMs === undefined || isPast) {
      return;
    }
    await silenceAlert(alert.id, untilMs);
    toast(`“${nameOf(alert)}” sends nothing ${untilText(zone, untilMs)}.`);
    onClose();
  };
  return (
    <Dialog
      title="Silence until"
      description="The alert is still evaluated. If it fires when the silence ends, it sends a notification then."
      open
      onOpenChange={onClose}
      onSubmit={() => void run(save)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy || untilMs === undefined || isPast}>
            Silence
          </Button>
        </>
      }
    >
      <MomentField
        label="End"
        ms={untilMs}
        zone={zone}
        error={isPast ? 'must be in the future' : error?.issueAt('until')}
        autoFocus
        onChange={setUntil}
      />
      <ErrorText error={error} />
    </Dialog>
  );
}
