import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { Query } from '../../query/index.ts';
import type { AlertDefinition } from '../alert-definition.ts';
import type { Catalog } from '../catalog.ts';
import { TimeSlice } from '../../../ports/time-slice.ts';
import { compileQuestion, type CompiledQuestion } from './compiled-question.ts';
import { buildQuestion } from './question.ts';
import { ShapeBook } from './shapes.ts';

/** The part of a running alert that keeps its compiled question. */
export interface QuestionHolder {
  readonly id: string;
  readonly definition: AlertDefinition;
  /** Undefined: the question has to be compiled. */
  compiled: CompiledQuestion | undefined;
  /** The objects that the question was compiled from. */
  compiledFrom: readonly (StoredDocument | AlertDefinition)[];
  /** The catalog's change count at the last check of `compiledFrom`. */
  compiledAtChange: number;
}

/** Compiles definitions into questions, and again when a document that they use changes. */
export class AlertCompiler {
  readonly #deps: { catalog: Catalog; query: Query };
  readonly #book = new ShapeBook();

  constructor(deps: { catalog: Catalog; query: Query }) {
    this.#deps = deps;
  }

  /** Compiles one alert after the other, and yields to other work in between. */
  async compile<A extends { alert: QuestionHolder }>(
    all: readonly A[],
    compiled: (one: A, question: CompiledQuestion) => void,
    failed: (one: A, error: unknown) => void,
  ): Promise<void> {
    const slice = new TimeSlice();
    for (const one of all) {
      if (slice.expired) {
        await slice.yieldToOthers();
      }
      const known = this.#known(one.alert);
      if (known) {
        compiled(one, known);
        continue;
      }
      try {
        compiled(one, await this.#compileOne(one.alert));
      } catch (error) {
        failed(one, error);
      }
    }
  }

  /** The question compiled before, if everything that it was compiled from is unchanged. */
  #known(alert: QuestionHolder): CompiledQuestion | undefined {
    const { catalog } = this.#deps;
    if (alert.compiled === undefined || alert.compiledAtChange === catalog.changeCount) {
      return alert.compiled;
    }
    if (
      !alert.compiledFrom.every((from) =>
        'kind' in from ? catalog.isCurrent(from) : from === alert.definition,
      )
    ) {
      return undefined;
    }
    alert.compiledAtChange = catalog.changeCount;
    return alert.compiled;
  }

  async #compileOne(alert: QuestionHolder): Promise<CompiledQuestion> {
    const { catalog, query } = this.#deps;
    const { changeCount } = catalog;
    const from: (StoredDocument | AlertDefinition)[] = [alert.definition];
    alert.compiled = undefined;
    const question = await buildQuestion(alert.definition, {
      query,
      find: (workspaceId, kind, id) => {
        const document = catalog.get(workspaceId, kind, id);
        if (document) {
          from.push(document);
        }
        return document;
      },
    });
    const compiled = compileQuestion(alert.id, question, this.#book);
    alert.compiled = compiled;
    alert.compiledFrom = from;
    alert.compiledAtChange = changeCount;
    return compiled;
  }
}
