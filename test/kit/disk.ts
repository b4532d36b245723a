import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

/** A kernel that lets nobody mount cannot be mended by installing something. */
const isForbidden = process.getuid?.() !== 0 || !existsSync('/dev/loop-control');

/**
 * For `describe.skipIf`: a machine that has loop devices and no mkfs.ext4 fails in CI. Elsewhere, and
 * where the kernel offers none, the tests are skipped with a line that says how to get them;
 * scripts/ci-summary.mjs names them.
 */
export function diskMissing(): boolean {
  try {
    Disk.create(16).remove();
    return false;
  } catch (error) {
    const hint =
      'a file system to cut the power of needs root, loop devices, mkfs.ext4 and perl ' +
      `(Debian: apt-get install e2fsprogs mount perl; docker run --privileged): ${(error as Error).message}`;
    if (process.env['CI'] && !isForbidden) {
      throw new Error(hint, { cause: error });
    }
    console.log(`skipped: ${hint}`);
    return true;
  }
}

/** EXT4_IOC_SHUTDOWN without a flush of the journal: nothing that is not on the disk gets there. */
const shutdown =
  'open(my $f, "<", $ARGV[0]) or die $!; my $mode = pack("L", 2); ioctl($f, 0x8004587D, $mode) or die $!;';

/** An ext4 file system in a file, whose power can be cut. */
export class Disk {
  readonly folder: string;
  readonly path: string;
  readonly #image: string;

  private constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'sightline-disk-'));
    this.path = join(this.folder, 'mount');
    this.#image = join(this.folder, 'image');
    mkdirSync(this.path);
  }

  /** @throws Error if the machine cannot mount one. */
  static create(sizeMib: number): Disk {
    const disk = new Disk();
    try {
      writeFileSync(disk.#image, '');
      truncateSync(disk.#image, sizeMib * 2 ** 20);
      run('mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', disk.#image);
      disk.mount();
      writeFileSync(join(disk.path, 'power'), '');
      return disk;
    } catch (error) {
      disk.remove();
      throw error;
    }
  }

  /** Mounts it; after a cut, ext4 replays its journal. */
  mount(): void {
    run('mount', '-o', 'loop', this.#image, this.path);
  }

  /**
   * From now on every write fails, and whatever was not synced is gone. But ext4 answers a sync that
   * is under way as successful although its bytes are lost. So stop (`SIGSTOP`) the process that
   * must not go on after the cut, as a processor without power would stop.
   */
  cut(): void {
    run('perl', '-e', shutdown, join(this.path, 'power'));
  }

  /** Uses up all free space. */
  fill(): void {
    spawnSync('dd', ['if=/dev/zero', `of=${join(this.path, 'filler')}`, 'bs=64k'], {
      stdio: 'ignore',
    });
  }

  /** Undoes `fill`. */
  free(): void {
    rmSync(join(this.path, 'filler'), { force: true });
  }

  /** Waits until no process uses it. */
  async unmount(): Promise<void> {
    await eventually(() => run('umount', this.path), 20_000, 50);
  }

  remove(): void {
    spawnSync('umount', ['-l', this.path], { stdio: 'ignore' });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function run(program: string, ...args: string[]): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    const reason = String(stderr ?? '').trim() || message;
    throw new Error(`${program}: ${reason}`, { cause: error });
  }
}
