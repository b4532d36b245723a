import type { ItemOutcome, SelectBatch } from '../../../../ports/batch.ts';
import { withoutSecrets, type SelectDestination } from '../select-statement.ts';
import { mayBeTheSource, StageTable } from './stage-table.ts';
import type { Stage } from './stage.ts';

export interface LoadedItems {
  /** The stage table with the rows of the loaded items. */
  table: string;
  outcomes: readonly ItemOutcome[];
}

/** Joint loads of the same items, each without the suspects of the one before. */
const jointLoadsMax = 3;

/**
 * Loads the items of a batch together. If that fails, it loads the items that the error names alone,
 * and the others together again. If the error names none, and after the third joint load, it halves
 * the rest. Each load fills a table of its own, which joins the others only if it is complete: bad
 * items drop out with their reason.
 * @throws TelemetryError for what is not the source's fault
 */
export class ItemLoader {
  readonly #stage: Stage;
  readonly #to: SelectDestination;
  readonly #batch: SelectBatch;
  readonly #signal: AbortSignal;
  /** Holds the rows of all complete loads. The first one's table: mostly there is no other. */
  #gathered: string | undefined;

  constructor(stage: Stage, to: SelectDestination, batch: SelectBatch, signal: AbortSignal) {
    this.#stage = stage;
    this.#to = to;
    this.#batch = batch;
    this.#signal = signal;
  }

  async load(): Promise<LoadedItems> {
    const outcomes = await this.#loadAll(this.#batch.items);
    return { table: this.#gathered ?? (await this.#stage.create()), outcomes };
  }

  async #loadAll(items: readonly string[]): Promise<ItemOutcome[]> {
    const outcomes: ItemOutcome[] = [];
    let remaining = items;
    for (let round = 0; round < jointLoadsMax && remaining.length > 1; round++) {
      const attempt = await this.#loadTogether(remaining);
      outcomes.push(...attempt.outcomes);
      if (attempt.isComplete) {
        return outcomes;
      }
      const suspects = new Set(attempt.suspects);
      if (suspects.size === 0) {
        break;
      }
      const judged = new Set(attempt.outcomes.map(({ name }) => name));
      for (const item of suspects) {
        if (!judged.has(item)) {
          outcomes.push(...(await this.#loadAlone(item)));
        }
      }
      remaining = remaining.filter((item) => !suspects.has(item));
    }
    return [...outcomes, ...(await this.#halve(remaining))];
  }

  async #halve(items: readonly string[]): Promise<ItemOutcome[]> {
    const [first, ...others] = items;
    if (first === undefined) {
      return [];
    }
    if (others.length === 0) {
      return [...(await this.#loadAlone(first))];
    }
    const middle = Math.ceil(items.length / 2);
    return [
      ...(await this.#loadAll(items.slice(0, middle))),
      ...(await this.#loadAll(items.slice(middle))),
    ];
  }

  async #loadTogether(items: readonly string[]): Promise<JointLoad> {
    const table = await this.#newTable();
    try {
      const outcomes = await this.#batch.load(table, items);
      const bad = outcomes.filter(({ state }) => state !== 'loaded');
      if (bad.length === 0) {
        await this.#gather(table);
        return { isComplete: true, outcomes, suspects: [] };
      }
      await this.#stage.drop(table.name);
      return { isComplete: false, outcomes: bad, suspects: bad.map(({ name }) => name) };
    } catch (error) {
      await this.#stage.drop(table.name);
      if (!mayBeTheSource(error, this.#signal)) {
        throw error;
      }
      return { isComplete: false, outcomes: [], suspects: this.#batch.suspects(error, items) };
    }
  }

  async #loadAlone(item: string): Promise<readonly ItemOutcome[]> {
    const table = await this.#newTable();
    try {
      const outcomes = await this.#batch.load(table, [item]);
      await (outcomes.every(({ state }) => state === 'loaded')
        ? this.#gather(table)
        : this.#stage.drop(table.name));
      return outcomes;
    } catch (error) {
      await this.#stage.drop(table.name);
      if (!mayBeTheSource(error, this.#signal)) {
        throw error;
      }
      return [this.#batch.outcomeOf(withoutSecrets(error, this.#batch.secrets), item)];
    }
  }

  async #newTable(): Promise<StageTable> {
    return new StageTable(this.#stage, this.#to, await this.#stage.create(), this.#signal);
  }

  async #gather(table: StageTable): Promise<void> {
    if (this.#gathered === undefined) {
      this.#gathered = table.name;
      return;
    }
    await this.#stage.move(table.name, this.#gathered);
    await this.#stage.drop(table.name);
  }
}

interface JointLoad {
  isComplete: boolean;
  /** Final outcomes: of all items, or of the bad ones that an incomplete load has found. */
  outcomes: readonly ItemOutcome[];
  /** Items to take out before the others are loaded again. */
  suspects: readonly string[];
}
