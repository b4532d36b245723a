import type { AlertStore } from '../../ports/store/alert-store.ts';
import type { DocumentKind, StoredDocument } from '../../ports/store/document-store.ts';
import { DocumentsByKind } from './documents-by-kind.ts';
import { TimeSlice } from '../../ports/time-slice.ts';

/** What changed since the last `refresh`. */
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
 * The documents that alerts are made from, in memory. `refresh` runs at each tick and finds the
 * alerts that any process has created or changed. It costs one cheap query if nothing changed, and
 * otherwise reads the changed documents. Every ten minutes, and if the number of documents or the
 * sum of their versions differs from the store's, it compares the ids and versions of all.
 */
export class Catalog {
  readonly #store: AlertStore;
  readonly #documents = new DocumentsByKind();
  #size = 0;
  readonly #alertIds = new Set<string>();
  #revision = { count: -1, latestMs: 0, versions: 0 };
  /** Grows with every change. While it is the same, nothing made from the documents is outdated. */
  changeCount = 0;
  /** The sum of the versions of all documents: it reveals a change that the time does not. */
  #versions = 0;
  #comparedAtMs = Number.NEGATIVE_INFINITY;

  constructor(store: AlertStore) {
    this.#store = store;
  }

  get<K extends DocumentKind>(
    workspaceId: string,
    kind: K,
    id: string,
  ): StoredDocument<K> | undefined {
    const document = this.#documents.get(kind, id);
    return document?.workspaceId === workspaceId ? document : undefined;
  }

  /** Whether the document was neither changed nor deleted since it was read. */
  isCurrent(document: StoredDocument): boolean {
    return this.#documents.get(document.kind, document.id) === document;
  }

  alert(id: string): StoredDocument<'alert'> | undefined {
    return this.#documents.get('alert', id);
  }

  get alertIds(): ReadonlySet<string> {
    return this.#alertIds;
  }

  maintenanceWindows(): Iterable<StoredDocument<'maintenanceWindow'>> {
    return this.#documents.of('maintenanceWindow');
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

  /** Yields between documents, so a reader meanwhile may get new and old versions side by side. */
  async #put(
    documents: readonly StoredDocument[],
  ): Promise<Omit<CatalogChange, 'removedAlertIds'>> {
    const changedAlertIds: string[] = [];
    let changed = false;
    const slice = new TimeSlice();
    for (const document of documents) {
      if (slice.expired) {
        await slice.yieldToOthers();
      }
      const before = this.#documents.get(document.kind, document.id)?.version;
      if (before === document.version) {
        continue;
      }
      this.#documents.put(document);
      if (before === undefined) {
        this.#size++;
      }
      this.#versions += document.version - (before ?? 0);
      this.changeCount++;
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
    const slice = new TimeSlice();
    let stale = false;
    for (const { kind, id, version } of await this.#store.documentStamps()) {
      if (slice.expired) {
        await slice.yieldToOthers();
      }
      const versions = stored.get(kind);
      if (versions) {
        versions.set(id, version);
      } else {
        stored.set(kind, new Map([[id, version]]));
      }
      stale ||= this.#documents.get(kind, id)?.version !== version;
    }
    const removedAlertIds: string[] = [];
    let gone = false;
    for (const { kind, id, version } of this.#documents) {
      if (slice.expired) {
        await slice.yieldToOthers();
      }
      if (stored.get(kind)?.has(id) === true) {
        continue;
      }
      this.#documents.delete(kind, id);
      this.#size--;
      this.#versions -= version;
      this.changeCount++;
      gone = true;
      if (kind === 'alert' && this.#alertIds.delete(id)) {
        removedAlertIds.push(id);
      }
    }
    const put = stale
      ? await this.#put(await this.#store.documentsChangedSince(0))
      : { changed: false, changedAlertIds: [] };
    return { changed: gone || put.changed, changedAlertIds: put.changedAlertIds, removedAlertIds };
  }
}
