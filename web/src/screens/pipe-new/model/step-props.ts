import type { FormState } from '../../../kit/use-form.ts';
import type { Wizard } from './use-wizard.ts';

/** What every step shows and changes. */
export interface StepProps {
  wizard: Wizard;
  form: FormState;
}
