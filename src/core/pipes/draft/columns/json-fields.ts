import type { ProposedField } from './proposed-columns.ts';
import { isObject, taggedJson, untagged, type Tagged, type TaggedObject } from './tagged-json.ts';
import { typeOfValues } from './value-type.ts';

/** Objects inside objects become columns of their own down to this depth, then JSON text. */
const depthMax = 4;
/** An object with more names than this is a map, not a structure. */
const namesMax = 50;
const fieldsMax = 300;

/**
 * The fields of JSON records with a type for each. Texts that are no JSON object are left out.
 * `dotted`: whether a mapping finds a name with dots at the top level.
 */
export function jsonFields(texts: readonly string[], dotted: boolean): ProposedField[] {
  const records = texts.map(taggedJson).filter(isObject);
  const nested = fieldsOf(records, '', depthMax, dotted);
  return nested.length <= fieldsMax ? nested : fieldsOf(records, '', 0, dotted);
}

function fieldsOf(
  objects: readonly (TaggedObject | undefined)[],
  prefix: string,
  depth: number,
  dotted: boolean,
): ProposedField[] {
  const names = new Set(objects.flatMap((object) => (object ? Object.keys(object) : [])));
  return [...names].flatMap((key) => {
    const name = untagged(key);
    if (name.includes('.') && !(dotted && prefix === '')) {
      return [];
    }
    const values = objects.map((object) =>
      object && Object.hasOwn(object, key) ? object[key] : undefined,
    );
    const present = values.filter((value) => value !== undefined && value !== null);
    const path = prefix + name;
    if (depth > 0 && present.length > 0 && present.every(isStructure) && !name.includes('.')) {
      const inner = values.map((value) => (isObject(value) ? value : undefined));
      return fieldsOf(inner, `${path}.`, depth - 1, dotted);
    }
    return [{ path, type: columnType(present, present.length < values.length) }];
  });
}

function columnType(present: readonly Tagged[], hasNull: boolean): string {
  const type = typeOfValues(present);
  return hasNull && !type.startsWith('Array(') ? `Nullable(${type})` : type;
}

/** An object that every mapping can take apart. */
function isStructure(value: Tagged): value is TaggedObject {
  if (!isObject(value)) {
    return false;
  }
  const names = Object.keys(value).map(untagged);
  return (
    names.length > 0 &&
    names.length <= namesMax &&
    names.every((name) => name !== '' && !name.includes('.'))
  );
}
