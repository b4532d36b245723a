import type { DocumentBodies, DocumentKind } from './document-bodies.ts';
import type { StoredDocument } from './document-store.ts';

/** Tables with sealed values. `answer`: answers that are kept for an `Idempotency-Key`. */
export const secretPlaces = ['document', 'parting', 'ingestionKey', 'answer'] as const;
export type SecretPlace = (typeof secretPlaces)[number];

/** A value sealed by the vault, and where it is stored. */
export interface StoredSecret {
  place: SecretPlace;
  /**
   * `document`: workspace, kind and id. `parting`: workspace and id of a deleted pipe.
   * `ingestionKey`: workspace. `answer`: credential and key.
   */
  key: readonly string[];
  sealed: string;
}

/** Sealed values of every workspace: for a change of the secret key. */
export interface SecretStore {
  /** Values after a key, in the order of their keys. */
  page(place: SecretPlace, after: readonly string[], limit: number): Promise<StoredSecret[]>;
  /** Stores the same secret, sealed again. False: it has changed meanwhile. */
  replace(secret: StoredSecret, sealed: string): Promise<boolean>;
  /**
   * Moves a part of a document's body under the seal. For readers the document has not changed.
   * False: it has changed meanwhile.
   */
  sealDocument<K extends DocumentKind>(
    document: StoredDocument<K>,
    part: { body: DocumentBodies[K]; sealed: string | null },
  ): Promise<boolean>;
}
