import type { Log } from '../../../ports/ambient.ts';
import { askAdmin } from './ask-admin.ts';
import type { EngineAddress } from './engine-address.ts';

/** More of them are counted, not named. */
const namedMax = 20;

const query = `SELECT database, table, name, reason, formatReadableSize(bytes_on_disk)
  FROM system.detached_parts WHERE reason LIKE 'broken%' ORDER BY database, table, name
  FORMAT JSONCompactEachRow`;

/**
 * Names in the log the parts that the engine found broken when it started and set aside: their rows
 * are missing from every answer. Answers how many there are.
 */
export async function logBrokenParts(address: EngineAddress, log: Log): Promise<number> {
  const lines = (await askAdmin(address, query)).split('\n').filter((line) => line !== '');
  for (const line of lines.slice(0, namedMax)) {
    const [database, table, part, reason, size] = JSON.parse(line) as string[];
    log.error(
      { database, table, part, reason, size },
      'telemetry part is broken; its rows are missing',
    );
  }
  return lines.length;
}
