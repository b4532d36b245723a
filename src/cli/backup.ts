import { createLog } from '../adapters/ambient/log.ts';
import { createBackup, type BackupReport } from '../app/backup/backup.ts';
import { backupPlace } from '../app/backup/place.ts';
import { restoreBackup, type RestoreReport } from '../app/backup/restore.ts';
import { readConfig } from '../app/config/config.ts';
import { table } from './table.ts';

type Environment = Record<string, string | undefined>;

/** `sightline backup <place>` */
export async function backup(
  environment: Environment,
  version: string,
  address: string,
  waitSeconds: number,
): Promise<string> {
  const { config } = readConfig(environment);
  const log = createLog({ level: config.logLevel, destination: process.stderr });
  const place = backupPlace(address);
  try {
    const waitMs = waitSeconds * 1000;
    return backupText(place.name, await createBackup({ config, log, version, place, waitMs }));
  } finally {
    place.close();
  }
}

/** `sightline restore <place>` */
export async function restore(environment: Environment, address: string): Promise<string> {
  const { config } = readConfig(environment);
  const log = createLog({ level: config.logLevel, destination: process.stderr });
  const place = backupPlace(address);
  try {
    return restoreText(await restoreBackup({ config, log, place }));
  } finally {
    place.close();
  }
}

function backupText(
  name: string,
  { metadata, telemetry, unfinished, heldMs }: BackupReport,
): string {
  const lines = [
    `Backup complete: ${name}`,
    `  metadata    ${metadata.rows} rows`,
    `  telemetry   ${telemetry.files} files, ${megabytes(telemetry.bytes)}, of ${telemetry.databases.join(', ')}`,
    `  pipes held  ${heldMs} ms`,
    '',
    'The backup does not contain the secret key. Keep SIGHTLINE_SECRET_KEY, or secret.key of the',
    'data directory, in another place: without it the backup cannot be restored.',
  ];
  if (unfinished.length > 0) {
    lines.push(
      '',
      'These partitions have an insert that has started and is not recorded as finished. After a',
      'restore, the records of this insert may be stored twice. Start the pipe, or wait until it runs',
      'again, and back up once more:',
      ...unfinished.map(({ pipeId, partition }) => `  pipe ${pipeId}, partition ${partition}`),
    );
  }
  return lines.join('\n');
}

function restoreText({ manifest, metadataRows, tables }: RestoreReport): string {
  const filled = tables.filter(({ rows }) => rows > 0);
  return [
    `Restored the backup of ${manifest.createdAt}: ${metadataRows} rows of metadata, ${tables.length} tables.`,
    '',
    table(
      ['database', 'table', 'rows'],
      filled.map(({ database, table: name, rows }) => [database, name, String(rows)]),
    ),
    '',
    'Stop the server that was backed up before you start this one: both would run the same pipes and alerts.',
  ].join('\n');
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
