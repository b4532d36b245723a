import { scopes } from '../contract/operation.ts';
import { ingestionKeyContext } from '../core/identity/provision.ts';
import type { DemoSources } from '../demo/dashboard.ts';
import type { Demo, DemoOptions } from '../demo/demo.ts';
import type { Received } from '../demo/receiver.ts';
import type { DemoCaller, DemoObject, DemoShops as DemoShopsPort } from '../ports/demo-shops.ts';
import type { DemoObjects } from './demo-objects.ts';
import type { Foundation } from './foundation.ts';
import type { StopList } from './stop-list.ts';

type ShopParts = Pick<
  Foundation,
  'config' | 'store' | 'vault' | 'clock' | 'ids' | 'log' | 'demoReceiver'
>;

interface Shop {
  demo: Demo;
  startedAtMs: number;
  ending: AbortController;
}

/** Demo shops in this process. They send to its own OTLP receiver as any sender does. */
export class DemoShops implements DemoShopsPort {
  readonly #base: ShopParts;
  readonly #otlpUrl: string | undefined;
  readonly #objects: DemoObjects;
  readonly #shops = new Map<string, Shop>();

  /** @param otlpUrl the OTLP/HTTP receiver of this process; undefined: it has none */
  constructor(base: ShopParts, stops: StopList, otlpUrl: string | undefined, objects: DemoObjects) {
    this.#base = base;
    this.#objects = objects;
    this.#otlpUrl = otlpUrl;
    stops.add('demo shops', 'traffic', () => {
      for (const workspaceId of this.#shops.keys()) {
        this.stop(workspaceId);
      }
    });
  }

  /** A process that shares its store could not stop a shop of another process. */
  get isAvailable(): boolean {
    return this.#otlpUrl !== undefined && this.#base.config.databaseUrl === undefined;
  }

  startedAtMs(workspaceId: string): number | undefined {
    return this.#shops.get(workspaceId)?.startedAtMs;
  }

  start(workspaceId: string, startedAtMs: number): void {
    this.run(workspaceId, startedAtMs);
  }

  /** The running shop of a team, started if there is none. @throws without an OTLP receiver */
  run(workspaceId: string, startedAtMs = this.#base.clock.now()): Demo {
    const existing = this.#shops.get(workspaceId);
    if (existing) {
      return existing.demo;
    }
    const { clock, log } = this.#base;
    if (this.#otlpUrl === undefined) {
      throw new Error('the demo shop needs the role ingest in this process');
    }
    const ending = new AbortController();
    const demo = begin({
      otlpUrl: this.#otlpUrl,
      ingestionKey: this.#keyOf(workspaceId),
      clock,
      log,
      signal: ending.signal,
    });
    this.#shops.set(workspaceId, { demo, startedAtMs, ending });
    demo.ended.catch((error: unknown) => {
      log.error({ err: error, workspaceId }, 'demo shop failed');
      this.stop(workspaceId);
    });
    return demo;
  }

  stop(workspaceId: string): void {
    this.#shops.get(workspaceId)?.ending.abort();
    this.#shops.delete(workspaceId);
  }

  objects(workspaceId: string): Promise<DemoObject[]> {
    return this.#objects.list(workspaceId);
  }

  furnish(caller: DemoCaller): Promise<void> {
    return this.#objects.make(caller);
  }

  /** Makes the objects for a process that runs the shop by itself. */
  async furnishAsSystem(workspaceId: string, actor: string): Promise<DemoSources> {
    const workspace = await this.#base.store.identity.workspace(workspaceId);
    if (!workspace) {
      throw new Error(`there is no workspace ${workspaceId}`);
    }
    const principal = {
      workspace,
      scopes: new Set(scopes),
      subject: { kind: 'system' as const, id: actor },
    };
    await this.furnish({ principal, requestId: this.#base.ids.uuid() });
    return this.#objects.sources(workspaceId);
  }

  /** Calls the listener with the body of each notification of a demo in this process. */
  onNotification(listener: (body: string) => void): void {
    this.#base.demoReceiver.onNotification(listener);
  }

  clear(caller: DemoCaller): Promise<void> {
    return this.#objects.remove(caller);
  }

  received(workspaceId: string): Received | undefined {
    return this.#base.demoReceiver.received(workspaceId);
  }

  /** Reads the key for each request, because somebody may replace it. Never rejects. */
  #keyOf(workspaceId: string): () => Promise<string> {
    const { store, vault, log } = this.#base;
    let last = '';
    return async () => {
      try {
        const stored = await store.identity.ingestionKey(workspaceId);
        last = stored ? vault.open(stored.sealed, ingestionKeyContext(workspaceId)) : '';
      } catch (error) {
        log.warn({ err: error, workspaceId }, 'cannot read the ingestion key for the demo shop');
      }
      return last;
    };
  }
}

/** The simulation and its OpenTelemetry SDK are loaded when the first shop starts. */
function begin(options: DemoOptions): Demo {
  const demo = import('../demo/demo.ts').then(({ startDemo }) => startDemo(options));
  const backfilled = demo.then((one) => one.backfilled);
  return { backfilled, ended: backfilled.then(() => demo).then(({ ended }) => ended) };
}
