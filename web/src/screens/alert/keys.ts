import { useRouter } from '@tanstack/react-router';
import type { Alert } from '../../api/queries/alerts.ts';
import { useKeys } from '../../view/keys.ts';
import { fromSpan, shifted } from '../../view/time-range.ts';
import type { AlertModel } from './model.ts';

interface AlertActions {
  silence(): void;
  acknowledge(): void;
  time(): void;
}

/** Shortcuts of an alert. */
export function useAlertKeys({ id }: Alert, model: AlertModel, actions: AlertActions): void {
  const router = useRouter();
  const { span, setRange, run, zoomOut } = model;
  useKeys({
    s: actions.silence,
    a: actions.acknowledge,
    t: actions.time,
    e: () => router.history.push(`/alerts/${id}/edit`),
    r: run,
    '[': () => setRange(fromSpan(shifted(span, -1))),
    ']': () => setRange(fromSpan(shifted(span, 1))),
    '-': zoomOut,
  });
}
