import { CommandError } from './query.ts';

/** @throws CommandError if the text is no name of a database. */
export function databaseName(text: string, what = 'database'): string {
  if (!/^[A-Za-z_]\w{0,63}$/.test(text)) {
    throw new CommandError(
      `${what} must be a name of letters, digits and _, not ${JSON.stringify(text)}`,
    );
  }
  return text;
}
