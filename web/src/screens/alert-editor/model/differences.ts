import { noDataWords, severityWords, thresholdPhrases } from '../../../alerting/words.ts';
import type { Difference } from '../../../kit/conflict.tsx';
import { takesMax, type AlertDraft } from './draft.ts';

/** Names of the objects that alerts refer to. */
export interface Names {
  source(draft: AlertDraft): string;
  webhook(id: string): string;
}

/** Fields in which two states of an alert differ. */
export function differences(theirs: AlertDraft, mine: AlertDraft, names: Names): Difference[] {
  const fields: [name: string, text: (draft: AlertDraft) => string][] = [
    ['Name', ({ name }) => name],
    ['Watches', names.source],
    ['Group by', ({ groupBy }) => groupBy],
    ['Condition', conditionText],
    ['Window', ({ interval }) => interval],
    ['Windows in a row', ({ numConsecutiveWindows }) => numConsecutiveWindows],
    ['Without data', ({ noData }) => noDataWords[noData]],
    ['Severity', ({ severity }) => severityWords[severity]],
    ['Tags', ({ tags }) => tags],
    ['Message', ({ message }) => message],
    ['Webhooks', ({ webhookIds }) => webhookIds.map(names.webhook).join(', ')],
    ['Reminders', ({ renotifyInterval }) => renotifyInterval || 'None'],
  ];
  return fields
    .map(([name, text]) => ({ name, theirs: text(theirs), mine: text(mine) }))
    .filter((one) => one.theirs !== one.mine);
}

export function conditionText({ thresholdType, threshold, thresholdMax }: AlertDraft): string {
  const text = `${thresholdPhrases[thresholdType]} ${threshold}`;
  return takesMax(thresholdType) ? `${text} and ${thresholdMax}` : text;
}
