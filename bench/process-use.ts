import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** CPU time and memory of a process and its children. Linux only. */
export interface ProcessUse {
  cpuUs: number;
  /** Without swap and without pages of files, which the kernel takes back. */
  residentMib: number;
}

const microsecondsPerTick = 10_000;

export function processUse(pid: number): ProcessUse {
  const use = { cpuUs: 0, residentMib: 0 };
  for (const each of [pid, ...childrenOf(pid)]) {
    const fields = statFields(each);
    const status = readFileSync(`/proc/${each}/status`, 'utf8');
    use.cpuUs += (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
    use.residentMib += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  }
  return use;
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statFields(Number(name))[1] === String(pid))
    .map(Number);
}

/** The fields from the state (field 3 of proc(5)) on; none if the process has ended. */
function statFields(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Size of all files in a folder. */
export function folderBytes(path: string): number {
  let bytes = 0;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) {
      // A merge may have removed it meanwhile.
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return bytes;
}
