import type { Principal } from './principal.ts';

/** An object that the demo made. */
export interface DemoObject {
  kind: 'dashboard' | 'webhook' | 'alert';
  id: string;
  name: string;
}

/** Who asks for a change of objects, for the audit trail. */
export interface DemoCaller {
  principal: Principal;
  requestId: string;
}

/**
 * Simulated shops that send telemetry to a team over OTLP, one a team at most, and the objects that
 * show it: a dashboard, an alert on one of its tiles, and the webhook of the alert.
 */
export interface DemoShops {
  /** Whether this process can run them. */
  readonly isAvailable: boolean;
  /** Time of the start; undefined if the team has no running shop. */
  startedAtMs(workspaceId: string): number | undefined;
  /** Starts the shop of a team, unless it runs. */
  start(workspaceId: string, startedAtMs: number): void;
  /** Ends the shop of a team, if it runs. What it has sent stays. */
  stop(workspaceId: string): void;

  /** The objects of the team that the demo made and that still exist. */
  objects(workspaceId: string): Promise<DemoObject[]>;
  /** Makes the objects that do not exist, as the caller. @throws Fault */
  furnish(caller: DemoCaller): Promise<void>;
  /** Deletes the objects, as the caller. @throws Fault conflict if another object needs one */
  clear(caller: DemoCaller): Promise<void>;
  /** What the webhook has delivered since the process began. */
  received(workspaceId: string): { count: number; lastAtMs: number } | undefined;
}
