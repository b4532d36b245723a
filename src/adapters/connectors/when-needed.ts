import type { SourceKindName } from '../../contract/pipe/sources.ts';
import type { Batch, Connector, ConnectorFactory, From, Position } from '../../ports/connector.ts';

/**
 * A factory whose code is loaded when the first of its connectors is used, and then once: the clients of four kinds of sources take a second of CPU to
 * load, and most processes use none or one of them.
 */
export function whenNeeded<K extends SourceKindName>(
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
