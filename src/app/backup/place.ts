import { directoryPlace } from '../../adapters/backup/directory-place.ts';
import { s3Place } from '../../adapters/backup/s3-place.ts';
import type { BackupPlace } from '../../ports/backup-place.ts';

/** `s3://bucket/prefix`, or a directory. */
export function backupPlace(address: string): BackupPlace {
  return address.startsWith('s3://') ? s3Place(address) : directoryPlace(address);
}
