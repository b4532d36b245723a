import { Fault } from '../../contract/errors.ts';
import type { EncodedRows } from './encoded.ts';

type Rows = Pick<EncodedRows, 'data' | 'rows' | 'days'>;

type Waiter = (fault?: Fault) => void;

/** The rows of one request for one table, and the calls that wait for them. */
export class Part implements Rows {
  readonly data: Buffer;
  readonly rows: number;
  readonly days: ReadonlySet<number>;
  readonly addedMs = performance.now();
  /** Set when the insert begins: from then on the part cannot be abandoned. */
  isBeingInserted = false;
  private readonly waiters = new Set<Waiter>();
  /** Set if the insert has no answer: calls are refused until it has one. */
  private refusal: Fault | undefined;
  private readonly ended: (isStored: boolean) => void;

  /** `ended` is called once: after the insert, or when every call that waited was aborted. */
  constructor({ data, rows, days }: Rows, ended: (isStored: boolean) => void) {
    this.data = data;
    this.rows = rows;
    this.days = days;
    this.ended = ended;
  }

  /** Settles with the part, or rejects when the signal aborts. Rejects while the insert has no answer. */
  wait(abort?: AbortSignal): Promise<void> {
    if (this.refusal) {
      return Promise.reject(this.refusal);
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiters.delete(waiter);
        reject(senderGone());
        if (this.waiters.size === 0 && !this.isBeingInserted) {
          this.ended(false);
        }
      };
      const settle = (fault?: Fault): void => {
        abort?.removeEventListener('abort', leave);
        if (fault) {
          reject(fault);
        } else {
          resolve();
        }
      };
      const waiter: Waiter = settle;
      this.waiters.add(waiter);
      if (abort?.aborted === true) {
        leave();
      } else {
        abort?.addEventListener('abort', leave, { once: true });
      }
    });
  }

  /** Settles every call that waits. */
  settle(fault?: Fault): void {
    this.ended(fault === undefined);
    this.tell(fault);
  }

  /** The insert has no answer: rejects every call that waits and those to come. The part stays known. */
  refuse(fault: Fault): void {
    this.refusal = fault;
    this.tell(fault);
  }

  private tell(fault: Fault | undefined): void {
    const waiters = [...this.waiters];
    this.waiters.clear();
    for (const tell of waiters) {
      tell(fault);
    }
  }
}

function senderGone(): Fault {
  return new Fault('unavailable', 'the sender left before its telemetry was stored');
}
