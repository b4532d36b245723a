import type { AlertStore } from '../../ports/alert-store.ts';
import type { DocumentKind, StoredDocument } from '../../ports/store.ts';
import { Pace } from './pace.ts';

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
  readonly #documents = new Map<DocumentKind, Map<string, StoredDocument>>();
  #size = 0;
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
    const found = this.#find(kind, id);
    return found?.workspaceId === workspaceId ? found : undefined;
  }

  /** Whether this is what there is: neither changed since nor gone. */
  isCurrent(document: StoredDocument): boolean {
    return this.#find(document.kind, document.id) === document;
  }

  alert(id: string): StoredDocument | undefined {
    return this.#find('alert', id);
  }

  get alertIds(): ReadonlySet<string> {
    return this.#alertIds;
  }

  async refresh(nowMs: number): Promise<CatalogChange> {
    const revision = await this.#store.documentRevision();
    const first = this.#revision.count === -1;
    const same =
      revision.count === this.#revision.count &&
      revision.latestMs === this.#revision.latestMs &&
      revision.versions === this.#revision.versions;
    const compare = Math.abs(nowMs - this.#comparedAtMs) >= stampsEveryMs && !first;
    if (same && !compare) {
      return { changedAlertIds: [], removedAlertIds: [], changed: false };
    }
    const sinceMs = first ? 0 : Math.min(this.#revision.latestMs, revision.latestMs) - overlapMs;
    const put = same
      ? { changed: false, changedAlertIds: [] }
      : await this.#put(await this.#store.documentsChangedSince(sinceMs));
    this.#revision = revision;
    if (first) {
      this.#comparedAtMs = nowMs;
    }
    if (!compare && this.#size === revision.count && this.#versions === revision.versions) {
      return { ...put, removedAlertIds: [] };
    }
    const compared = await this.#compare();
    this.#comparedAtMs = nowMs;
    return {
      changed: put.changed || compared.changed,
      changedAlertIds: [...put.changedAlertIds, ...compared.changedAlertIds],
      removedAlertIds: compared.removedAlertIds,
    };
  }

  #find(kind: DocumentKind, id: string): StoredDocument | undefined {
    return this.#documents.get(kind)?.get(id);
  }

  #of(kind: DocumentKind): Map<string, StoredDocument> {
    let found = this.#documents.get(kind);
    if (!found) {
      this.#documents.set(kind, (found = new Map()));
    }
    return found;
  }

  /** In slices: whoever looks in between finds some documents new and others as they were, but each of them whole. */
  async #put(
    documents: readonly StoredDocument[],
  ): Promise<Omit<CatalogChange, 'removedAlertIds'>> {
    const changedAlertIds: string[] = [];
    let changed = false;
    const pace = new Pace();
    for (const document of documents) {
      if (pace.due) {
        await pace.pause();
      }
      const known = this.#of(document.kind);
      const before = known.get(document.id)?.version;
      if (before === document.version) {
        continue;
      }
      known.set(document.id, document);
      if (before === undefined) {
        this.#size++;
      }
      this.#versions += document.version - (before ?? 0);
      this.change++;
      changed = true;
      if (document.kind !== 'alert') {
        continue;
      }
      this.#alertIds.add(document.id);
      changedAlertIds.push(document.id);
    }
    return { changed, changedAlertIds };
  }

  async #compare(): Promise<CatalogChange> {
    const stored = new Map<DocumentKind, Map<string, number>>();
    const pace = new Pace();
    let stale = false;
    for (const { kind, id, version } of await this.#store.documentStamps()) {
      if (pace.due) {
        await pace.pause();
      }
      const versions = stored.get(kind);
      if (versions) {
        versions.set(id, version);
      } else {
        stored.set(kind, new Map([[id, version]]));
      }
      stale ||= this.#find(kind, id)?.version !== version;
    }
    const removedAlertIds: string[] = [];
    let gone = false;
    for (const [kind, documents] of this.#documents) {
      for (const { id, version } of documents.values()) {
        if (pace.due) {
          await pace.pause();
        }
        if (stored.get(kind)?.has(id) === true) {
          continue;
        }
        documents.delete(id);
        this.#size--;
        this.#versions -= version;
        this.change++;
        gone = true;
        if (kind === 'alert' && this.#alertIds.delete(id)) {
          removedAlertIds.push(id);
        }
      }
    }
    const put = stale
      ? await this.#put(await this.#store.documentsChangedSince(0))
      : { changed: false, changedAlertIds: [] };
    return { changed: gone || put.changed, changedAlertIds: put.changedAlertIds, removedAlertIds };
  }
}
