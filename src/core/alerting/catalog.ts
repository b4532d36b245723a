import type { AlertStore } from '../../ports/alert-store.ts';
import type { StoredDocument } from '../../ports/store.ts';

/** What changed since the last look. */
export interface CatalogChange {
  /** Alerts that are new or have another version. */
  changedAlertIds: string[];
  /** Alerts that are gone. */
  removedAlertIds: string[];
  /** Whether anything changed at all. */
  changed: boolean;
}

/** Times of two transactions that overlap may come in another order than their commits. */
const overlapMs = 10_000;
const stampsEveryMs = 60_000;

/**
 * The documents that alerts are made from, kept in memory: the wanted set. A look costs one cheap query where nothing changed, and reads only
 * what changed otherwise; once a minute, and when the number does not add up, ids and versions of all are compared.
 */
export class Catalog {
  readonly #store: AlertStore;
  readonly #documents = new Map<string, StoredDocument>();
  readonly #alertIds = new Set<string>();
  #revision = { count: -1, latestMs: 0 };
  #comparedAtMs = Number.NEGATIVE_INFINITY;

  constructor(store: AlertStore) {
    this.#store = store;
  }

  get(workspaceId: string, kind: StoredDocument['kind'], id: string): StoredDocument | undefined {
    const found = this.#documents.get(key(kind, id));
    return found?.workspaceId === workspaceId ? found : undefined;
  }

  alert(id: string): StoredDocument | undefined {
    return this.#documents.get(key('alert', id));
  }

  get alertIds(): ReadonlySet<string> {
    return this.#alertIds;
  }

  async refresh(nowMs: number): Promise<CatalogChange> {
    const revision = await this.#store.documentRevision();
    const same = revision.count === this.#revision.count && revision.latestMs === this.#revision.latestMs;
    const compare = Math.abs(nowMs - this.#comparedAtMs) >= stampsEveryMs;
    if (same && !compare) return { changedAlertIds: [], removedAlertIds: [], changed: false };
    const sinceMs = this.#revision.count === -1 ? 0 : Math.min(this.#revision.latestMs, revision.latestMs) - overlapMs;
    const put = same ? { changed: false, changedAlertIds: [] } : this.#put(await this.#store.documentsChangedSince(sinceMs));
    this.#revision = revision;
    if (!compare && this.#documents.size === revision.count) return { ...put, removedAlertIds: [] };
    const compared = await this.#compare();
    this.#comparedAtMs = nowMs;
    return { changed: put.changed || compared.changed, changedAlertIds: [...put.changedAlertIds, ...compared.changedAlertIds], removedAlertIds: compared.removedAlertIds };
  }

  #put(documents: StoredDocument[]): Omit<CatalogChange, 'removedAlertIds'> {
    const changedAlertIds: string[] = [];
    let changed = false;
    for (const document of documents) {
      const at = key(document.kind, document.id);
      if (this.#documents.get(at)?.version === document.version) continue;
      this.#documents.set(at, document);
      changed = true;
      if (document.kind !== 'alert') continue;
      this.#alertIds.add(document.id);
      changedAlertIds.push(document.id);
    }
    return { changed, changedAlertIds };
  }

  async #compare(): Promise<CatalogChange> {
    const stamps = new Map((await this.#store.documentStamps()).map(({ kind, id, version }) => [key(kind, id), version]));
    const gone = [...this.#documents.values()].filter(({ kind, id }) => !stamps.has(key(kind, id)));
    for (const { kind, id } of gone) this.#documents.delete(key(kind, id));
    const removedAlertIds = gone.filter(({ kind }) => kind === 'alert').map(({ id }) => id);
    for (const id of removedAlertIds) this.#alertIds.delete(id);
    const stale = [...stamps].some(([at, version]) => this.#documents.get(at)?.version !== version);
    const put = stale ? this.#put(await this.#store.documentsChangedSince(0)) : { changed: false, changedAlertIds: [] };
    return { changed: gone.length > 0 || put.changed, changedAlertIds: put.changedAlertIds, removedAlertIds };
  }
}

const key = (kind: string, id: string): string => `${kind}/${id}`;
