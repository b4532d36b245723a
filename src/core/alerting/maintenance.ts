import type { StoredDocument } from '../../ports/store/document-store.ts';
import type { AlertDefinition } from './alert-definition.ts';
import type { Catalog } from './catalog.ts';
import { occurrenceAfter, type Occurrence } from './decide/occurrence.ts';

type StoredWindow = StoredDocument<'maintenanceWindow'>;
type Covered = Pick<AlertDefinition, 'id' | 'workspaceId' | 'tags'>;

/** A maintenance window that covers the moment. */
interface ActiveWindow {
  id: string;
  all: boolean;
  ids: ReadonlySet<string>;
  tags: ReadonlySet<string>;
}

/**
 * The maintenance windows that cover a moment. Windows are read from the catalog, and an occurrence
 * is computed once, so that a tick costs next to nothing.
 */
export class Maintenance {
  readonly #catalog: Catalog;
  readonly #occurrences = new WeakMap<StoredWindow, { askedMs: number; next?: Occurrence }>();
  #active = new Map<string, ActiveWindow[]>();
  #atMs = Number.NaN;
  #changeCount = -1;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Id of a maintenance window that covers the alert at this time; undefined if none does. */
  covering({ id, workspaceId, tags }: Covered, nowMs: number): string | undefined {
    this.#refresh(nowMs);
    return this.#active
      .get(workspaceId)
      ?.find(
        (window) => window.all || window.ids.has(id) || tags.some((tag) => window.tags.has(tag)),
      )?.id;
  }

  #refresh(nowMs: number): void {
    const { changeCount } = this.#catalog;
    if (nowMs === this.#atMs && changeCount === this.#changeCount) {
      return;
    }
    this.#atMs = nowMs;
    this.#changeCount = changeCount;
    this.#active = new Map();
    for (const window of this.#catalog.maintenanceWindows()) {
      if (!this.#covers(window, nowMs)) {
        continue;
      }
      const { all, ids, tags } = window.body.alerts;
      const active = { id: window.id, all, ids: new Set(ids), tags: new Set(tags) };
      const others = this.#active.get(window.workspaceId);
      if (others) {
        others.push(active);
      } else {
        this.#active.set(window.workspaceId, [active]);
      }
    }
  }

  #covers(window: StoredWindow, nowMs: number): boolean {
    let known = this.#occurrences.get(window);
    const isCurrent =
      known !== undefined &&
      known.askedMs <= nowMs &&
      (known.next === undefined || nowMs < known.next.toMs);
    if (!known || !isCurrent) {
      const next = occurrenceAfter(window.body.schedule, nowMs);
      known = { askedMs: nowMs, ...(next && { next }) };
      this.#occurrences.set(window, known);
    }
    return known.next !== undefined && known.next.fromMs <= nowMs;
  }
}
