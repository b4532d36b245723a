import type { AuditEntry } from '../../ports/audit-store.ts';
import type { Clock, Ids, Log } from '../../ports/ambient.ts';
import type { Store } from '../../ports/store.ts';

/** A line without what is given to it when it is written. */
export type Refusal = Omit<AuditEntry, 'id' | 'count'>;

export interface RefusalLimits {
  /** How long equal refusals are gathered into one line, and how often lines are written. */
  windowMs: number;
  /** Different lines of one organization (and of nobody's) in a window; what comes after is counted in one more. */
  linesPerWindow: number;
  /** Lines of refusals that are kept at all; about 0.4 kB each. */
  kept: number;
}

const defaults: RefusalLimits = { windowMs: 5000, linesPerWindow: 50, kept: 100_000 };

/**
 * Puts refusals on record without letting whoever causes them fill the disk or slow anybody: equal ones within a window are one line with
 * a count, an organization has a bounded number of lines in a window, and only so many lines are kept. A flood of unknown credentials is
 * nobody's and so takes no line from any organization.
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

  /** Writes what was gathered. Never throws: what cannot be written is logged, and lost. */
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
      log.error({ err: error, lines: lines.length }, 'refusals could not be put on record');
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

  /** Of a flood, the number alone. */
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
