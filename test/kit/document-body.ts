import type { JsonObject } from '../../src/ports/store/document-store.ts';

/**
 * Any fields in place of a document's body, for tests of code that does not look into bodies or
 * that reads only these fields.
 */
export function documentBody<Body>(fields: JsonObject = {}): Body {
  return JSON.parse(JSON.stringify(fields)) as Body;
}

/** The fields that `documentBody` made a body of. */
export function documentFields(body: object | undefined): JsonObject {
  return { ...body } as JsonObject;
}
