import type {
  PipeCheck,
  PipeCheckStep,
  PipeSourceIssue,
  SourceProblemReason,
} from '../../../contract/pipe/pipe-draft.ts';
import { effectivePipeSettings } from '../../../contract/pipe/settings.ts';
import { ConnectionLost, SourceFailed, type SourceProblem } from '../../../ports/connector.ts';
import type { BeginStep, Explorer } from '../../../ports/explorer.ts';
import { LinkedSignal } from '../../../ports/linked-signal.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import type { ConfiguredSource } from '../kinds/configured-source.ts';
import { makeConnector } from '../run/worker.ts';
import { aborted } from './aborted.ts';

/** Below the ten seconds after which many clients and proxies give up. */
const deadlineMs = 8000;
const bufferBytes = 4 * 2 ** 20;

/** What came of a look at a source: a value, or the reason why there is none. */
export interface Exploration<T> {
  value?: T;
  steps: PipeCheck['steps'];
  issues: PipeSourceIssue[];
}

export type Look<T> = (explorer: Explorer, begin: BeginStep, signal: AbortSignal) => Promise<T>;

/** Connects to a source for a limited time. */
export async function explore<T>(
  deps: PipeVerbDependencies,
  { source, pipeId, deadline }: ExploredSource,
  look: Look<T>,
): Promise<Exploration<T>> {
  const steps = new Steps();
  const connector = makeConnector(deps, source, {
    pipeId,
    purpose: 'sample',
    replica: { index: 0, count: 1 },
    bufferBytes,
    settings: effectivePipeSettings({}),
    fields: [],
  });
  const looking = connector.explorer().then((explorer) => look(explorer, steps.begin, deadline));
  // After the deadline nobody waits for the result.
  looking.catch(() => undefined);
  try {
    const value = await Promise.race([looking, end(deadline)]);
    return { value, steps: steps.all(true), issues: [] };
  } catch (error) {
    const failure = deadline.aborted ? tooLate : error;
    if (!(failure instanceof ConnectionLost || failure instanceof SourceFailed)) {
      throw failure;
    }
    deps.log.debug({ err: failure, pipeId }, 'source of a draft does not work');
    const problem = steps.problemOf(failure);
    const path = ['source', source.kind, problem.field].filter((part) => part !== '').join('.');
    return {
      steps: steps.all(false),
      issues: [{ path, reason: problem.reason, message: failure.message }],
    };
  } finally {
    // A source that does not answer may not let itself be closed either.
    connector.close().catch(() => undefined);
  }
}

export interface ExploredSource {
  source: ConfiguredSource;
  pipeId: string;
  /** Ends the look. */
  deadline: AbortSignal;
}

/** The end of a look that begins now, or earlier if the caller goes away. */
export function lookDeadline(caller: AbortSignal | undefined): AbortSignal {
  // Not `AbortSignal.any`: on Node 20, a timeout that only such a signal refers to is collected, and
  // never fires.
  return new LinkedSignal(AbortSignal.timeout(deadlineMs), caller).signal;
}

const tooLate = new ConnectionLost(
  `the source did not answer within ${deadlineMs / 1000} seconds. Check its address and that it responds.`,
  { problem: { reason: 'timed_out' } },
);

async function end(deadline: AbortSignal): Promise<never> {
  await aborted(deadline);
  throw tooLate;
}

/** Reasons of failures that name none. */
const reasonOfStep: Record<PipeCheckStep, SourceProblemReason> = {
  connect: 'connection_failed',
  find: 'not_found',
  read: 'unreadable',
  registry: 'connection_failed',
  replicate: 'replication_refused',
};

class Steps {
  readonly #begun: PipeCheckStep[] = [];
  #field = '';

  readonly begin: BeginStep = (step, field) => {
    this.#field = field;
    if (this.#begun.at(-1) !== step) {
      this.#begun.push(step);
    }
  };

  all(isComplete: boolean): PipeCheck['steps'] {
    return this.#begun.map((step, index) => ({
      step,
      ok: isComplete || index < this.#begun.length - 1,
    }));
  }

  problemOf(error: ConnectionLost | SourceFailed): Required<SourceProblem> {
    const { problem } = error;
    const step = this.#begun.at(-1);
    if (step === undefined) {
      // The connector refused the settings before it connected.
      this.#begun.push('connect');
      return { reason: 'unsupported', field: this.#field, ...error.problem };
    }
    // A server that says what it lacks was reached.
    if (step === 'connect' && problem?.reason === 'not_found') {
      this.#begun.push('find');
    }
    const unknown = error instanceof ConnectionLost ? 'connection_failed' : reasonOfStep[step];
    return { reason: problem?.reason ?? unknown, field: problem?.field ?? this.#field };
  }
}
