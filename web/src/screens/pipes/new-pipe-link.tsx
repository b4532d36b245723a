import { AppLinkButton } from '../../alerting/app-link.tsx';
import { usePipeRights } from '../../pipes/rights.ts';

/** The way to a new pipe, for those who may create one. */
export function NewPipeLink({ look = 'outlined' }: { look?: 'outlined' | 'primary' }) {
  const { canChange } = usePipeRights();
  return canChange ? (
    <AppLinkButton href="/pipes/new" look={look}>
      New pipe
    </AppLinkButton>
  ) : null;
}
