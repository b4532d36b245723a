export type Signal = 'logs' | 'traces' | 'metrics';
export type Encoding = 'protobuf' | 'json';
export type Compression = 'identity' | 'gzip' | 'deflate' | 'zstd' | 'snappy';

/** An OTLP request as it was received. */
export interface ReceivedRequest {
  signal: Signal;
  encoding: Encoding;
  compression: Compression;
  bytes: Uint8Array;
  receivedMs: number;
  /** Maximum number of bytes after decompression. */
  maxInflatedBytes: number;
}
