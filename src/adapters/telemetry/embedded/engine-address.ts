/** Where a run of the engine answers, and who may ask it. */
export interface EngineAddress {
  url: string;
  /** The passwords of the users are made of it (see engine-users.ts). */
  secret: string;
  /** Databases that have users of their own in this run. */
  databases: ReadonlySet<string>;
}
