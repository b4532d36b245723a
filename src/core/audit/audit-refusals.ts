import type { AuditEntry } from '../../ports/store/audit-store.ts';
import type { Clock, Ids, Log } from '../../ports/ambient.ts';
import type { Store } from '../../ports/store/store.ts';

/** An audit line without the fields that are set when it is written. */
export type Refusal = Omit<AuditEntry, 'id' | 'count'>;

export interface RefusalLimits {
  /** How long equal refusals are counted in one line before it is written. */
  windowMs: number;
  /**
   * Maximum number of different lines of one organization in a window. Further refusals are counted
   * in one more line. Refusals without an organization share a limit of their own.
   */
  linesPerWindow: number;
  /** Maximum number of refusal lines in the store; about 0.4 kB each. */
  kept: number;
}

const defaults: RefusalLimits = { windowMs: 5000, linesPerWindow: 50, kept: 100_000 };

/**
 * Records refusals without letting a caller fill the disk or slow others down. Equal refusals within
 * a window are one line with a count, the number of lines of an organization in a window is limited,
 * and so is the number of stored lines. Unknown credentials belong to no organization, so a flood
 * of them takes no line from one.
 */
export class RefusalRecorder {
  readonly #deps: { store: Store; clock: Clock; ids: Ids; log: Log };
  readonly #limits: RefusalLimits;
  #gathered = new Map<string, Refusal & { count: number }>();
  #lines = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #linesSinceTrim = 0;

  constructor(
    deps: { store: Store; clock: Clock; ids: Ids; log: Log },
    limits: Partial<RefusalLimits> = {},
  ) {
    this.#deps = deps;
    this.#limits = { ...defaults, ...limits };
  }

  add(refusal: Refusal): void {
    const line = this.#lineOf(refusal);
    line.count++;
    this.#timer ??= setTimeout(() => void this.flush(), this.#limits.windowMs).unref();
  }

  /** Writes the lines of the window. Never throws: lines that cannot be written are lost. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = [...this.#gathered.values()];
    if (lines.length === 0) {
      return;
    }
    this.#gathered = new Map();
    this.#lines = new Map();
    const { store, ids, log } = this.#deps;
    try {
      await store.audit.append(lines.map((line) => ({ ...line, id: ids.object() })));
      this.#linesSinceTrim += lines.length;
      if (this.#linesSinceTrim >= this.#limits.kept / 100) {
        this.#linesSinceTrim = 0;
        await store.audit.trimRefusals(this.#limits.kept);
      }
    } catch (error) {
      log.error({ err: error, lines: lines.length }, 'cannot write refusals to the audit trail');
    }
  }

  #lineOf(refusal: Refusal): Refusal & { count: number } {
    const key = JSON.stringify([
      refusal.organizationId,
      refusal.serviceId,
      refusal.actor,
      refusal.operation,
      refusal.object,
      refusal.address,
      refusal.code,
    ]);
    const known = this.#gathered.get(key);
    if (known) {
      return known;
    }
    const owner = refusal.organizationId ?? '';
    const lines = this.#lines.get(owner) ?? 0;
    if (lines >= this.#limits.linesPerWindow) {
      return this.#restOf(refusal);
    }
    this.#lines.set(owner, lines + 1);
    return this.#started(key, refusal);
  }

  /** The line that only counts refusals beyond the limit. */
  #restOf({ atMs, organizationId, outcome }: Refusal): Refusal & { count: number } {
    const key = `rest ${organizationId ?? ''} ${outcome}`;
    return (
      this.#gathered.get(key) ??
      this.#started(key, {
        atMs,
        organizationId,
        outcome,
        serviceId: null,
        actor: { kind: 'anonymous', id: null, name: null },
        operation: 'various',
        object: { kind: 'various', id: null },
        address: null,
        requestId: null,
        code: null,
      })
    );
  }

  #started(key: string, refusal: Refusal): Refusal & { count: number } {
    const line = { ...refusal, count: 0 };
    this.#gathered.set(key, line);
    return line;
  }
}
