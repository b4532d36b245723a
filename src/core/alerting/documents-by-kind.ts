import type { DocumentKind, StoredDocument } from '../../ports/store/document-store.ts';

type Maps = { [K in DocumentKind]: Map<string, StoredDocument<K>> };

/** Documents in memory, by kind and id. */
export class DocumentsByKind {
  readonly #maps: Maps = {
    alert: new Map(),
    dashboard: new Map(),
    source: new Map(),
    webhook: new Map(),
    savedSearch: new Map(),
    pipe: new Map(),
    maintenanceWindow: new Map(),
  };

  get<K extends DocumentKind>(kind: K, id: string): StoredDocument<K> | undefined {
    return this.#maps[kind].get(id);
  }

  put<K extends DocumentKind>(document: StoredDocument<K>): void {
    this.#maps[document.kind].set(document.id, document);
  }

  /** A document may be deleted while this is read. */
  *[Symbol.iterator](): Generator<StoredDocument> {
    for (const documents of Object.values(this.#maps)) {
      yield* documents.values();
    }
  }

  of<K extends DocumentKind>(kind: K): Iterable<StoredDocument<K>> {
    return this.#maps[kind].values();
  }

  delete(kind: DocumentKind, id: string): void {
    this.#maps[kind].delete(id);
  }
}
