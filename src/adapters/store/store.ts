import type { Store, StoreParts } from '../../ports/store/store.ts';
import { createAlertStore } from './alerts/alert-store.ts';
import { createAuditStore } from './audit-store.ts';
import { createDocuments } from './documents.ts';
import { createIdempotency, sweepIdempotency } from './idempotency.ts';
import { createIdentity } from './identity/identity.ts';
import { sweepMemberLinks } from './identity/member-links.ts';
import { sweepSessions } from './identity/sessions.ts';
import { createLeases } from './leases.ts';
import { createNodes, sweepNodes } from './nodes.ts';
import { createSecrets } from './secrets.ts';
import { createPipeStore } from './pipes/pipe-store.ts';
import { createSession, remembered, type Driver, type Session } from './statements/session.ts';
import { statement, type Compiler } from './statements/statement.ts';

/** The store over a database: the same for both. */
export function createStore(driver: Driver, compiler: Compiler): Store {
  const session = createSession(driver, compiler);
  const partsInside = remembered(createParts);
  let closing: Promise<void> | undefined;
  return {
    ...createParts(session),
    transaction: (work) => session.atomically((inside) => work(partsInside(inside))),
    sweep: async () => {
      await sweepIdempotency(session);
      await sweepSessions(session);
      await sweepMemberLinks(session);
      await sweepNodes(session);
    },
    ping: () => driver.ping(),
    close: () => (closing ??= driver.close()),
  };
}

/**
 * What works inside a transaction and outside alike. A new part is one line here and one in
 * `StoreParts` of the port.
 */
function createParts(session: Session): StoreParts {
  return {
    documents: createDocuments(session),
    identity: createIdentity(session),
    leases: createLeases(session),
    nodes: createNodes(session),
    pipes: createPipeStore(session),
    audit: createAuditStore(session),
    alerts: createAlertStore(session),
    secrets: createSecrets(session),
    idempotency: createIdempotency(session),
    nowMs: async () => (await session.first(now, {}))?.now ?? 0,
  };
}

const now = statement<Record<string, never>>()((queries) =>
  queries.global.selectNoFrom(queries.now.as('now')),
);
