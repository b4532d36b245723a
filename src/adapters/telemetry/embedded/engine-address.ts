/** Where a run of the engine answers, and the passwords of its users. */
export interface EngineAddress {
  url: string;
  reader: string;
  admin: string;
}
