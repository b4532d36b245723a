import { createIds } from '../../src/adapters/ambient/ids.ts';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { workspaceDatabases } from '../../src/app/workspace-databases.ts';
import { scopes } from '../../src/contract/operation.ts';
import { alertStatusReader } from '../../src/core/alerting/api/alert-status.ts';
import { alertingVerbs } from '../../src/core/alerting/api/verbs.ts';
import { AuditTrail } from '../../src/core/audit/audit-trail.ts';
import { createQuery } from '../../src/core/query/index.ts';
import { alertVerbs } from '../../src/core/resources/alert.ts';
import type { Verb } from '../../src/core/verb/verb.ts';
import type { Principal } from '../../src/ports/principal.ts';
import type { Timeline } from './timeline.ts';

/** Calls the verbs of alerts in the store of a timeline, at its time. */
export function timelineVerbs(t: Timeline) {
  const clock = { now: t.now };
  const ids = createIds(clock);
  const log = createLog({ level: 'error', destination: process.stderr });
  const trail = new AuditTrail({ store: t.store, clock, ids, log });
  const query = createQuery({
    telemetry: t.telemetry,
    workspaceDatabase: workspaceDatabases(t.store),
    clock,
    limits: { timeoutMs: 5000 },
  });
  const shared = { store: trail.store, query, vault: t.vault, ids };
  const verbs = {
    ...alertVerbs({ ...shared, statusReader: alertStatusReader() }),
    ...alertingVerbs({
      ...shared,
      sender: t.sender,
      egress: egressGuard({ allow: ['127.0.0.0/8'] }),
      ingestDelayMs: 5000,
      publicUrl: 'https://sightline.test',
    }),
  };
  const principal = (workspaceId: string): Principal => ({
    workspace: {
      id: workspaceId,
      name: 'w',
      serviceId: '',
      organizationId: '',
      database: 'sightline',
      listedDatabases: [],
    },
    scopes: new Set(scopes),
    subject: { kind: 'user', id: 'u', email: 'ada@example.com' },
  });
  const call = async <V extends Verb>(
    verb: V,
    input: { params?: object; query?: object; body?: unknown },
    workspaceId = t.workspaceId,
  ): Promise<Awaited<ReturnType<V['run']>>['value']> =>
    (
      await trail.invoke(verb, {
        principal: principal(workspaceId),
        requestId: 'r',
        params: input.params ?? {},
        query: input.query ?? {},
        body: input.body,
      })
    ).value as never;
  return { verbs, call };
}
