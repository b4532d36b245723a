import type { PipeKind } from '../../../pipes/kinds.ts';
import { steps, type Step } from '../params.ts';
import type { PipeDraft } from './draft.ts';
import { kinds } from './kinds/kinds.ts';

/** The heading of each step. */
export function stepTitle(step: Step | undefined, kind: PipeKind | undefined): string {
  switch (step) {
    case undefined:
      return 'Kind';
    case 'connection':
      return 'Connection';
    case 'data':
      return kind === undefined ? 'Data' : kinds[kind].items;
    case 'columns':
      return kind === 'postgres' ? 'Targets' : 'Columns';
    case 'settings':
      return 'Settings';
    default:
      return 'Create';
  }
}

/** The last step that may be opened. */
export function lastStep(kind: PipeKind, draft: PipeDraft, isConnected: boolean): Step {
  if (!isConnected) {
    return 'connection';
  }
  const isChosen = kind === 'postgres' ? draft.tables.length > 0 : draft.item !== '';
  return isChosen ? 'create' : 'data';
}

/** The wanted step, or the last one before it that may be opened. */
export const allowedStep = (wanted: Step | undefined, last: Step): Step | undefined =>
  wanted === undefined || steps.indexOf(wanted) <= steps.indexOf(last) ? wanted : last;

export const stepAfter = (step: Step | undefined): Step | undefined =>
  steps[step === undefined ? 0 : steps.indexOf(step) + 1];

export const stepBefore = (step: Step): Step | undefined => steps[steps.indexOf(step) - 1];
