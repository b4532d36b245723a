import { createLog } from '../adapters/ambient/log.ts';
import { readConfig } from '../app/config/config.ts';
import { rotateSecretKey } from '../app/rotate-secret-key.ts';
import { CommandError } from './query.ts';

/** `sightline admin rotate-secret-key` */
export async function rotateKey(environment: Record<string, string | undefined>): Promise<string> {
  const { config } = readConfig(environment);
  const log = createLog({ level: config.logLevel, destination: process.stderr });
  const { sealed, unreadable, oldKeyFile } = await rotateSecretKey({ config, log });
  if (unreadable.length > 0) {
    throw new CommandError(
      `${unreadable.length} stored secrets can be read with neither key, so the old key stays in use:\n` +
        unreadable.map(({ place, key }) => `  ${place} ${key.join('/')}`).join('\n'),
    );
  }
  return [
    `All stored secrets are encrypted with the new key (${sealed} were encrypted again).`,
    oldKeyFile === undefined
      ? 'Remove SIGHTLINE_PREVIOUS_SECRET_KEY and restart every server.'
      : `The old key is in ${oldKeyFile}. Keep it with the backups that need it, or delete it.`,
    'Backups from before need the old key.',
  ].join('\n');
}
