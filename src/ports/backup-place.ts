/** Where the engine itself writes its part of a backup, or reads it. */
export type EnginePlace =
  | { kind: 'file'; path: string }
  | { kind: 's3'; url: string; accessKeyId: string; secretAccessKey: string };

/** Where a backup is kept: a directory, or a prefix in an S3 bucket. */
export interface BackupPlace {
  /** For messages. */
  readonly name: string;
  /** The directory, if it is one: an engine on this machine can read it directly. */
  readonly directory: string | undefined;
  isEmpty(): Promise<boolean>;
  /** Moves or copies a local folder with its content into the backup. */
  putFolder(localPath: string): Promise<void>;
  /** Copies everything whose name begins with `prefix/` into a local folder. */
  getFolder(prefix: string, localPath: string): Promise<void>;
  put(name: string, text: string): Promise<void>;
  /** @throws Error naming the place if there is no such file. */
  get(name: string): Promise<AsyncIterable<Uint8Array>>;
  /** For an engine elsewhere, which writes and reads this part of the backup itself. */
  enginePlace(name: string): Promise<EnginePlace>;
  close(): void;
}
