import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { EgressRefused, type Egress } from '../../../ports/egress.ts';

/** What the egress guard refused. The client replaces the error of a socket with one of its own. */
export class Refusals {
  #last: EgressRefused | undefined;

  noting(egress: Egress): Egress {
    return {
      check: (url) => egress.check(url),
      resolve: async (hostname) => {
        try {
          return await egress.resolve(hostname);
        } catch (error) {
          if (error instanceof EgressRefused) {
            this.#last = error;
          }
          throw error;
        }
      },
    };
  }

  /** The refusal behind a lost connection, otherwise the error itself. */
  before(error: unknown): unknown {
    return this.#last && error instanceof ConnectionLost
      ? new SourceFailed(this.#last.message, {
          cause: error,
          problem: { reason: 'address_refused', field: 'brokers' },
        })
      : error;
  }
}
