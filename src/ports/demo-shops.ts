/** Simulated shops that send telemetry to a team over OTLP, one a team at most. */
export interface DemoShops {
  /** Whether this process can run them. */
  readonly isAvailable: boolean;
  /** Time of the start; undefined if the team has no running shop. */
  startedAtMs(workspaceId: string): number | undefined;
  /** Starts the shop of a team, unless it runs. */
  start(workspaceId: string, startedAtMs: number): void;
  /** Ends the shop of a team, if it runs. What it has sent stays. */
  stop(workspaceId: string): void;
}
