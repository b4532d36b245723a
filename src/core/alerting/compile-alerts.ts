import type { Telemetry } from '../../ports/telemetry.ts';
import type { StoredDocument } from '../../ports/store.ts';
import type { Query } from '../query/index.ts';
import type { AlertDefinition } from './alert-definition.ts';
import { asked, type Asked } from './asked.ts';
import type { Catalog } from './catalog.ts';
import { Pace } from './pace.ts';
import { question } from './question.ts';
import type { RunningAlert } from './running-alert.ts';
import { ShapeBook } from './shapes.ts';

/** Turns definitions into questions: once, and again when something they are made from changes. */
export class AlertCompiler {
  readonly #deps: { catalog: Catalog; query: Query; telemetry: Telemetry };
  readonly #book = new ShapeBook();

  constructor(deps: { catalog: Catalog; query: Query; telemetry: Telemetry }) {
    this.#deps = deps;
  }

  /** What each of the alerts asks, or why it cannot: one after the other, with pauses in which others have their turn. */
  async compile<A extends { alert: RunningAlert }>(
    all: readonly A[],
    each: (one: A, made: Asked) => void,
    failed: (one: A, error: unknown) => void,
  ): Promise<void> {
    const pace = new Pace();
    for (const one of all) {
      if (pace.due) {
        await pace.pause();
      }
      const known = this.#known(one.alert);
      if (known) {
        each(one, known);
        continue;
      }
      try {
        each(one, await this.#make(one.alert));
      } catch (error) {
        failed(one, error);
      }
    }
  }

  /** At once, where nothing changed that it was made from. */
  #known(alert: RunningAlert): Asked | undefined {
    const { catalog } = this.#deps;
    if (alert.asked === undefined || alert.askedChange === catalog.change) {
      return alert.asked;
    }
    if (
      !alert.askedFrom.every((from) =>
        'kind' in from ? catalog.isCurrent(from) : from === alert.definition,
      )
    ) {
      return undefined;
    }
    alert.askedChange = catalog.change;
    return alert.asked;
  }

  async #make(alert: RunningAlert): Promise<Asked> {
    const { catalog, query, telemetry } = this.#deps;
    const { change } = catalog;
    const from: (StoredDocument | AlertDefinition)[] = [alert.definition];
    alert.asked = undefined;
    const made = asked(
      alert.id,
      await question(alert.definition, {
        query,
        telemetry,
        find: (workspaceId, kind, id) => {
          const found = catalog.get(workspaceId, kind, id);
          if (found) {
            from.push(found);
          }
          return found;
        },
      }),
      this.#book,
    );
    Object.assign(alert, { asked: made, askedFrom: from, askedChange: change });
    return made;
  }
}
