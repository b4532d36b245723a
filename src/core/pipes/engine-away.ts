import { Fault } from '../../contract/errors.ts';
import { ShardAway, TelemetryError } from '../../ports/telemetry.ts';

const retryAfterSeconds = 5;

/** A 503 that says what to do: the same request works once the engine responds again. */
export function engineAway(cause: TelemetryError): Fault {
  const reason =
    cause instanceof ShardAway ? cause.message : 'the telemetry engine does not respond';
  const message = `${reason}. Send the request again later.`;
  return new Fault('unavailable', message, { cause, retryAfterSeconds });
}

export const isEngineAway = ({ kind }: TelemetryError): boolean =>
  kind === 'unavailable' || kind === 'timeout';

/** Runs work that needs the engine. @throws Fault `unavailable` if the engine does not respond */
export async function withEngine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TelemetryError && isEngineAway(error) ? engineAway(error) : error;
  }
}
