import { TelemetryError, type Purpose } from '../../../ports/telemetry.ts';
import { LinkedSignal } from '../../../ports/linked-signal.ts';
import type { Endpoint, EngineCall } from '../engine.ts';
import { holdLimitMs, type Admission } from './admission.ts';
import { isQuestion } from './purposes.ts';

/** Lets statements go to the engine once it answers and has their users. */
export class EngineEntry {
  readonly #endpoint: Endpoint;
  readonly #admission: Admission;

  constructor(endpoint: Endpoint, admission: Admission) {
    this.#endpoint = endpoint;
    this.#admission = admission;
  }

  /**
   * Waits until the engine answers and has a user for the call. Call the result when the statement
   * has ended.
   */
  async admitted(call: EngineCall, signal: AbortSignal): Promise<() => void> {
    const { purpose, tenant } = call;
    for (;;) {
      await this.#awaitEngine(call, signal);
      // Nothing may come between this check and the entry.
      if (this.#admission.isClosed) {
        continue;
      }
      if (this.#endpoint.admits(purpose, tenant)) {
        // Nobody waits for what can take long: a pipe repeats its load, a person an export.
        const isLong = purpose === 'load' || purpose === 'export';
        return isLong ? () => {} : this.#admission.enter(!isQuestion(call));
      }
      await this.#admit(purpose, tenant);
    }
  }

  /** Makes a user: the embedded engine with a restart, or waits for the one in progress. */
  async #admit(purpose: Purpose, database: string | undefined): Promise<void> {
    const { restarts } = this.#admission;
    let exists: boolean;
    try {
      exists = database === undefined || (await this.#endpoint.hasDatabase(database));
    } catch (error) {
      if (this.#admission.isClosed || this.#admission.restarts > restarts) {
        // Another statement has begun a restart meanwhile, which cut the question short.
        return;
      }
      throw error;
    }
    if (!exists) {
      throw new TelemetryError('unknown_table', `the database ${database} does not exist`);
    }
    if (!this.#endpoint.embedded) {
      await this.#endpoint.admit(purpose, database, true);
      return;
    }
    await this.#admission.restart((isClean) => this.#endpoint.admit(purpose, database, isClean));
  }

  /**
   * Waits until the engine answers. Charts and alerts wait for a restart on purpose for some seconds
   * at most, and are refused while the engine starts for another reason.
   */
  async #awaitEngine(call: EngineCall, signal: AbortSignal): Promise<void> {
    if (this.#admission.isClosed) {
      const limit = isQuestion(call) ? AbortSignal.timeout(holdLimitMs) : undefined;
      const hold = new LinkedSignal(signal, limit);
      await this.#admission.open(hold.signal).finally(() => hold.release());
    } else if (this.#endpoint.starting && isQuestion(call)) {
      throw new TelemetryError('unavailable', 'the telemetry engine is starting; try again');
    }
    await this.#endpoint.ready(signal);
  }
}
