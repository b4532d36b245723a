export interface IntakeLogLimits {
  /** Blocks are stored when the first of them has waited this long, … */
  delayMs: number;
  /** … or when this many bytes wait. */
  segmentBytes: number;
  /** Blocks of more bytes than this in all do not wait. */
  maxPendingBytes: number;
  /** Blocks that could not be stored are tried again after this time, which doubles … */
  retryMs: number;
  /** … up to this one. */
  maxRetryMs: number;
  /** With less space on the disk no block is appended. */
  minFreeBytes: number;
  /** After an append has failed, blocks go to the engine for this time. */
  restMs: number;
  /** Files that are kept for later blocks are removed after this time without blocks. */
  spareIdleMs: number;
}

export const defaultLimits: IntakeLogLimits = {
  delayMs: 500,
  segmentBytes: 16 * 2 ** 20,
  maxPendingBytes: 64 * 2 ** 20,
  retryMs: 1_000,
  maxRetryMs: 30_000,
  minFreeBytes: 128 * 2 ** 20,
  restMs: 2_000,
  spareIdleMs: 60_000,
};
