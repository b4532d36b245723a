/** What a reference says about request bodies. */
export const bodyRules =
  'Request bodies can contain only the properties described here. ' +
  'Other properties are ignored if they are `null` or empty. ' +
  'An update can repeat the read-only fields of the record.';
