import { readdirSync, readFileSync } from 'node:fs';

/** CPU time in microseconds, user and system. */
export interface CpuTime {
  /** This process, with its threads. */
  own: number;
  /** The embedded engine, which is a child process; steps of 10 ms. Linux only, else 0. */
  engine: number;
  total: number;
}

/** Unit of the times in `/proc/<pid>/stat`: `USER_HZ` is 100 on every platform of Linux. */
const microsecondsPerTick = 10_000;

/** Starts a measurement. The function that it returns gives the CPU time used since then. */
export function measureCpu(): () => CpuTime {
  const start = process.cpuUsage();
  const engineStart = engineTicks();
  return () => {
    const { user, system } = process.cpuUsage(start);
    const own = user + system;
    const engine = (engineTicks() - engineStart) * microsecondsPerTick;
    return { own, engine, total: own + engine };
  };
}

/** Microseconds of each process for one of `count` things, as text. */
export function perUnit({ own, engine, total }: CpuTime, count: number): string {
  const [all, server, child] = [total, own, engine].map((time) => (time / count).toFixed(2));
  return `${all} µs CPU (${server} server, ${child} engine)`;
}

/** The sum over all engines that this process has started and that still run. */
function engineTicks(): number {
  if (process.platform !== 'linux') {
    return 0;
  }
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name) && isOwnEngine(name)) {
      const fields = statFields(name);
      ticks += Number(fields[11]) + Number(fields[12]);
    }
  }
  return ticks;
}

function isOwnEngine(pid: string): boolean {
  return (
    statFields(pid)[1] === String(process.pid) &&
    readText(`/proc/${pid}/cmdline`).includes('engine.cjs')
  );
}

/** The fields from the state (field 3 of proc(5)) on: the name before it may hold blanks. */
const statFields = (pid: string): string[] => {
  const text = readText(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** A process may end between two looks. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
