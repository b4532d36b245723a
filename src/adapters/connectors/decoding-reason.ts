const textLengthMax = 300;

/** Why a record could not be decoded, for the error table. */
export function decodingReason(error: unknown): string {
  const reason =
    error instanceof Error ? error.message.slice(0, textLengthMax) : 'it does not match its schema';
  return `cannot decode the record: ${reason}`;
}
