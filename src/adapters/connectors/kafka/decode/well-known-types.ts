import protobuf from 'protobufjs';

type Fields = Record<string, unknown>;

/** What Google defines and everybody imports, as its own mapping to JSON has it: by the name after `google.protobuf.`. */
const mappings: Record<string, (fields: Fields) => unknown> = {
  Timestamp: ({ seconds, nanos }) =>
    `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fraction(Number(nanos))}Z`,
  Duration: ({ seconds, nanos }) =>
    `${Number(nanos) < 0 && Number(seconds) === 0 ? '-' : ''}${String(seconds)}${fraction(Math.abs(Number(nanos)))}s`,
  Struct: ({ fields }) =>
    Object.fromEntries(
      Object.entries(fields as Record<string, Fields>).map(([name, value]) => [
        name,
        anyValue(value),
      ]),
    ),
  Value: anyValue,
  ListValue: ({ values }) => (values as Fields[]).map(anyValue),
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
    return mappings['Struct']!(structValue as Fields);
  }
  if (listValue !== undefined) {
    return mappings['ListValue']!(listValue as Fields);
  }
  return Object.values(plain)[0] ?? null;
}

/** Adds the files of Google's that schemas import and no registry keeps. */
export function addImported(root: protobuf.Root, files: readonly string[]): void {
  for (const file of new Set(files)) {
    const definition = protobuf.common.get(file)?.nested;
    if (definition) {
      root.addJSON(definition);
    }
  }
}

/** A decoded message with those types in the form of their mapping; everything else as it is. */
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
    const one = (inner: unknown): unknown => mapWellKnown(resolvedType, inner as Fields);
    if (map) {
      mapped[name] = Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, one(inner)]),
      );
    } else {
      mapped[name] = repeated ? (value as unknown[]).map(one) : one(value);
    }
  }
  return mapped;
}
