import { connectorSuite } from './connector-suite.ts';
import { MemoryLog } from './memory-log.ts';

/** The suite's own proof: a connector that plainly does what is asked passes it. */
const logs = new Set<MemoryLog>();

connectorSuite('the log in memory', {
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  admitsAll: true,
  stream: () => {
    const log = new MemoryLog(3);
    logs.add(log);
    return Promise.resolve({
      produce: (values: readonly string[]) => Promise.resolve(log.append(values)),
      connector: () => log.connector({ replica: { index: 0, count: 1 } }),
      absent: () => new MemoryLog(0).connector({ replica: { index: 0, count: 1 } }),
      secrets: [],
    });
  },
  cut: () =>
    Promise.resolve(
      [...logs].forEach((log) => {
        log.down = true;
      }),
    ),
  mend: () =>
    Promise.resolve(
      [...logs].forEach((log) => {
        log.down = false;
      }),
    ),
});
