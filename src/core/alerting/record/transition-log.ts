import type { AlertState } from '../../../contract/alert/alert.ts';
import type { Log } from '../../../ports/ambient.ts';

/** Up to this many transitions of one tick get a log line each; more are counted in one line. */
const linesMax = 10;

export interface AlertTransition {
  workspaceId: string;
  alertId: string;
  name: string;
  from: AlertState;
  to: AlertState;
  reason: string | null;
  /** End of the evaluated window, RFC 3339. */
  windowEnd: string;
}

/** Logs the state changes of one tick's alerts: a line each if they are few, else their number. */
export class TransitionLog {
  readonly #log: Log;
  readonly #first: AlertTransition[] = [];
  readonly #count: Record<AlertState, number> = { firing: 0, pending: 0, inactive: 0 };
  #total = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  add(transition: AlertTransition): void {
    this.#total++;
    this.#count[transition.to]++;
    if (this.#first.length < linesMax) {
      this.#first.push(transition);
    }
  }

  /** Writes the lines. To be called once, when the tick is recorded. */
  flush(): void {
    if (this.#total > linesMax) {
      this.#log.info({ transitions: this.#total, to: this.#count }, 'alert states changed');
      return;
    }
    for (const transition of this.#first) {
      this.#log.info({ ...transition }, 'alert state changed');
    }
  }
}
