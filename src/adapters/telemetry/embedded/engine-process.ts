import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** One step of niceness is about a tenth of a processor's time. */
const engineNiceness = 5;
/**
 * Its allocator gives memory back that was not used for five seconds, in a thread of its own. By
 * default it waits for the next allocation too, and an idle engine allocates little. Linux only.
 */
const allocatorOptions = { JE_MALLOC_CONF: 'background_thread:true,dirty_decay_ms:5000' };
/** How many of its last lines are kept, for the reason of an end. */
const keptLines = 40;

/**
 * One run of the engine. It is in a process group of its own, so that Ctrl-C in a terminal reaches
 * this process only, and it ends when this process ends.
 */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly ended: Promise<void>;

  /** `onLine` gets every line the engine writes to its log. */
  constructor(args: readonly string[], onLine: (line: string) => void) {
    this.#child = spawn(process.execPath, [programFile('bin/engine.cjs'), ...args], {
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: true,
      env: { ...(process.platform === 'linux' && allocatorOptions), ...process.env },
    });
    yieldProcessors(this.#child.pid);
    this.ended = new Promise((resolve) => this.#child.once('close', () => resolve()));
    this.#child.once('error', () => {});
    this.#child.stdin?.on('error', () => {});
    this.#child.unref();
    if (this.#child.stderr) {
      createInterface({ input: this.#child.stderr }).on('line', (line) => {
        this.#lines.push(line);
        if (this.#lines.length > keptLines) {
          this.#lines.shift();
        }
        onLine(line);
      });
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get running(): boolean {
    return (
      this.#child.exitCode === null && this.#child.signalCode === null && this.pid !== undefined
    );
  }

  get output(): string {
    return this.#lines.join('\n');
  }

  /** Ends the run at once and waits until it has ended. */
  async kill(): Promise<void> {
    if (!this.running) {
      return;
    }
    // Until then it keeps this process alive, which it does not while it runs.
    this.#child.ref();
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}

/** Requests of this process come first when the engine's threads fill all processors. */
function yieldProcessors(pid: number | undefined): void {
  try {
    if (pid !== undefined) {
      setPriority(pid, engineNiceness);
    }
  } catch {
    // It ended at once, or the machine has no priorities.
  }
}

/** A file of the package, wherever in it this code runs: from source, built, or bundled by a test. */
function programFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, path))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new Error(`${path} is missing from the package`);
    }
    folder = parent;
  }
  return join(folder, path);
}
