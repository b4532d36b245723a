import { closeSync, openSync } from 'node:fs';
import { DataType, load, open } from 'ffi-rs';

const libc = 'libc';
let opened = false;

/** `FS_IOC_GETFLAGS`, `FS_IOC_SETFLAGS` and `FS_SYNC_FL` of Linux, on x64 and arm64. */
const getFlags = 0x80086601;
const setFlags = 0x40086602;
const syncFlag = 8;
/** `LOCK_EX | LOCK_NB` */
const lockNow = 6;

/**
 * Makes every write to a file reach the disk before it returns, as `chattr +S` does. Files created
 * in a directory inherit it. False: the file system or the platform cannot.
 */
export function writeThrough(path: string): boolean {
  if (process.platform !== 'linux') {
    return false;
  }
  const file = openSync(path, 'r');
  try {
    const flags = Buffer.alloc(8);
    if (ioctl(file, getFlags, flags) !== 0) {
      return false;
    }
    if ((flags.readUInt32LE(0) & syncFlag) !== 0) {
      return true;
    }
    flags.writeUInt32LE(flags.readUInt32LE(0) | syncFlag, 0);
    return ioctl(file, setFlags, flags) === 0;
  } finally {
    closeSync(file);
  }
}

/** Whether another process holds the lock of a file (`flock`). */
export function isLocked(path: string): boolean {
  if (process.platform !== 'linux') {
    return false;
  }
  const file = openSync(path, 'r');
  try {
    return call('flock', [DataType.I32, DataType.I32], [file, lockNow]) !== 0;
  } finally {
    closeSync(file);
  }
}

const ioctl = (file: number, request: number, flags: Buffer): number =>
  call('ioctl', [DataType.I32, DataType.I64, DataType.U8Array], [file, request, flags]);

function call(funcName: string, paramsType: DataType[], paramsValue: unknown[]): number {
  if (!opened) {
    open({ library: libc, path: 'libc.so.6' });
    opened = true;
  }
  return load({ library: libc, funcName, retType: DataType.I32, paramsType, paramsValue });
}
