import protobuf from 'protobufjs';

type Fields = Record<string, unknown>;

const structValueOf = ({ fields }: Fields): unknown =>
  Object.fromEntries(
    Object.entries(fields as Record<string, Fields>).map(([name, value]) => [
      name,
      anyValue(value),
    ]),
  );

const listValueOf = ({ values }: Fields): unknown => (values as Fields[]).map(anyValue);

/**
 * Protobuf's well-known types in their standard JSON form, by the name after `google.protobuf.`.
 */
const mappings: Record<string, (fields: Fields) => unknown> = {
  Timestamp: ({ seconds, nanos }) =>
    `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fraction(Number(nanos))}Z`,
  Duration: ({ seconds, nanos }) =>
    `${Number(nanos) < 0 && Number(seconds) === 0 ? '-' : ''}${String(seconds)}${fraction(Math.abs(Number(nanos)))}s`,
  Struct: structValueOf,
  Value: anyValue,
  ListValue: listValueOf,
  FieldMask: ({ paths }) => (paths as string[]).join(','),
  ...Object.fromEntries(
    ['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
      (name) => [`${name}Value`, ({ value }: Fields) => value],
    ),
  ),
};

function fraction(nanos: number): string {
  return nanos === 0
    ? ''
    : `.${String(nanos)
        .padStart(9, '0')
        .replace(/(?:000){1,2}$/, '')}`;
}

function anyValue(value: Fields): unknown {
  const { structValue, listValue, nullValue: _, ...plain } = value;
  if (structValue !== undefined) {
    return structValueOf(structValue as Fields);
  }
  if (listValue !== undefined) {
    return listValueOf(listValue as Fields);
  }
  return Object.values(plain)[0] ?? null;
}

/** Adds Google's files that schemas import but registries do not store. */
export function addImported(root: protobuf.Root, files: readonly string[]): void {
  for (const file of new Set(files)) {
    const definition = protobuf.common.get(file)?.nested;
    if (definition) {
      root.addJSON(definition);
    }
  }
}

/** Replaces well-known types in a decoded message by their JSON form. */
export function mapWellKnown(type: protobuf.Type, message: Fields): unknown {
  const mapping = type.fullName.startsWith('.google.protobuf.') ? mappings[type.name] : undefined;
  if (mapping) {
    return mapping(message);
  }
  const mapped = { ...message };
  for (const { name, resolvedType, repeated, map } of type.fieldsArray) {
    const value = message[name];
    if (!(resolvedType instanceof protobuf.Type) || value === null || value === undefined) {
      continue;
    }
    const mapOne = (inner: unknown): unknown => mapWellKnown(resolvedType, inner as Fields);
    if (map) {
      mapped[name] = Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, mapOne(inner)]),
      );
    } else {
      mapped[name] = repeated ? (value as unknown[]).map(mapOne) : mapOne(value);
    }
  }
  return mapped;
}
