import type { MaintenanceInput, MaintenanceWindow } from '../../../api/queries/maintenance.ts';
import type { Difference } from '../../../kit/conflict.tsx';
import { scheduleWords } from './schedule-words.ts';

type Compared = Pick<MaintenanceWindow, 'name' | 'schedule' | 'alerts'>;

/** Fields in which the form is another than the stored window. */
export function differencesOf(
  theirs: MaintenanceWindow,
  mine: MaintenanceInput,
  zone: string,
): Difference[] {
  const fields: [name: string, text: (one: Compared) => string][] = [
    ['Name', ({ name }) => name],
    ['Time', (one) => scheduleWords(one, zone)],
    ['All alerts', ({ alerts }) => (alerts.all ? 'yes' : 'no')],
    ['Tags', ({ alerts }) => alerts.tags.join(', ')],
    ['Chosen alerts', ({ alerts }) => alerts.ids.join('\n')],
  ];
  return fields
    .map(([name, text]) => ({ name, theirs: text(theirs), mine: text(mine) }))
    .filter((one) => one.theirs !== one.mine);
}
