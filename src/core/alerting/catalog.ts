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
const stampsEveryMs = 600_000;

/**
 * The documents that alerts are made from, kept in memory: the wanted set. A look costs one cheap query where nothing changed, and reads only
 * what changed otherwise; now and then, and when number or versions do not add up, ids and versions of all are compared.
 */
export class Catalog {
  readonly #store: AlertStore;
  readonly #documents = new Map<string, StoredDocument>();
  readonly #alertIds = new Set<string>();
  #revision = { count: -1, latestMs: 0, versions: 0 };
  /** Grows with every change: what was made from the documents at this number is still right. */
  change = 0;
  /** Versions of all documents added up, which tells of a change that the time does not. */
  #versions = 0;
  #comparedAtMs = Number.NEGATIVE_INFINITY;

  constructor(store: AlertStore) {
    this.#store = store;
  }

  get(workspaceId: string, kind: StoredDocument['kind'], id: string): StoredDocument | undefined {
    const found = this.#documents.get(key(kind, id));
    return found?.workspaceId === workspaceId ? found : undefined;
  }

  /** Whether this is what there is: neither changed since nor gone. */
  isCurrent(document: StoredDocument): boolean {
    return this.#documents.get(key(document.kind, document.id)) === document;
  }

  alert(id: string): StoredDocument | undefined {
    return this.#documents.get(key('alert', id));
  }

  get alertIds(): ReadonlySet<string> {
    return this.#alertIds;
  }

  async refresh(nowMs: number): Promise<CatalogChange> {
    const revision = await this.#store.documentRevision();
    const first = this.#revision.count === -1;
    const same = revision.count === this.#revision.count && revision.latestMs === this.#revision.latestMs && revision.versions === this.#revision.versions;
    const compare = Math.abs(nowMs - this.#comparedAtMs) >= stampsEveryMs && !first;
    if (same && !compare) return { changedAlertIds: [], removedAlertIds: [], changed: false };
    const sinceMs = first ? 0 : Math.min(this.#revision.latestMs, revision.latestMs) - overlapMs;
    const put = same ? { changed: false, changedAlertIds: [] } : this.#put(await this.#store.documentsChangedSince(sinceMs));
    this.#revision = revision;
    if (first) this.#comparedAtMs = nowMs;
    if (!compare && this.#documents.size === revision.count && this.#versions === revision.versions) return { ...put, removedAlertIds: [] };
    const compared = await this.#compare();
    this.#comparedAtMs = nowMs;
    return { changed: put.changed || compared.changed, changedAlertIds: [...put.changedAlertIds, ...compared.changedAlertIds], removedAlertIds: compared.removedAlertIds };
  }

  #put(documents: StoredDocument[]): Omit<CatalogChange, 'removedAlertIds'> {
    const changedAlertIds: string[] = [];
    let changed = false;
    for (const document of documents) {
      const at = key(document.kind, document.id);
      const before = this.#documents.get(at)?.version ?? 0;
      if (before === document.version) continue;
      this.#documents.set(at, document);
      this.#versions += document.version - before;
      changed = true;
      if (document.kind !== 'alert') continue;
      this.#alertIds.add(document.id);
      changedAlertIds.push(document.id);
    }
    if (changed) this.change++;
    return { changed, changedAlertIds };
  }

  async #compare(): Promise<CatalogChange> {
    const stamps = new Map((await this.#store.documentStamps()).map(({ kind, id, version }) => [key(kind, id), version]));
    const gone = [...this.#documents.values()].filter(({ kind, id }) => !stamps.has(key(kind, id)));
    for (const { kind, id, version } of gone) {
      this.#documents.delete(key(kind, id));
      this.#versions -= version;
    }
    if (gone.length > 0) this.change++;
    const removedAlertIds = gone.filter(({ kind }) => kind === 'alert').map(({ id }) => id);
    for (const id of removedAlertIds) this.#alertIds.delete(id);
    const stale = [...stamps].some(([at, version]) => this.#documents.get(at)?.version !== version);
    const put = stale ? this.#put(await this.#store.documentsChangedSince(0)) : { changed: false, changedAlertIds: [] };
    return { changed: gone.length > 0 || put.changed, changedAlertIds: put.changedAlertIds, removedAlertIds };
  }
}

const key = (kind: string, id: string): string => `${kind}/${id}`;
