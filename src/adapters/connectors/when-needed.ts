import type { Batch, Position } from '../../ports/batch.ts';
import type { Connector, ConnectorFactory, From } from '../../ports/connector.ts';
import type { Explorer } from '../../ports/explorer.ts';

/**
 * A connector factory whose code is loaded once, when the first connector is used. Loading the
 * clients of all kinds of sources takes a second of CPU time, and most processes use one kind or
 * none.
 */
export function whenNeeded<K extends string>(
  load: () => Promise<ConnectorFactory<K>>,
): ConnectorFactory<K> {
  let factory: Promise<ConnectorFactory<K>> | undefined;
  return (context) => new ConnectorWhenNeeded(async () => (await (factory ??= load()))(context));
}

class ConnectorWhenNeeded implements Connector {
  readonly #make: () => Promise<Connector>;
  #made: Promise<Connector> | undefined;

  constructor(make: () => Promise<Connector>) {
    this.#make = make;
  }

  async *read(from: From, signal: AbortSignal): AsyncGenerator<Batch> {
    yield* (await this.#connector()).read(from, signal);
  }

  async commit(partition: string, position: Position): Promise<void> {
    await (await this.#connector()).commit(partition, position);
  }

  async check(signal: AbortSignal): Promise<void> {
    await (await this.#connector()).check(signal);
  }

  async explorer(): Promise<Explorer> {
    return (await this.#connector()).explorer();
  }

  async close(): Promise<void> {
    await (await this.#made?.catch(() => undefined))?.close();
  }

  async remove(): Promise<void> {
    await (await this.#connector()).remove?.();
  }

  #connector(): Promise<Connector> {
    this.#made ??= this.#make();
    return this.#made;
  }
}
