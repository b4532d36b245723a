import type { ActivityOutcome, ActorKind } from '../../api/queries/organization.ts';
import type { TimeBound } from '../../view/time-range.ts';
import { param } from '../../view/url-state.ts';

const tabs = ['keys', 'audit'] as const;
export type OrganizationTab = 'services' | (typeof tabs)[number];
export const actorKinds = [
  'user',
  'key',
  'system',
  'anonymous',
] as const satisfies readonly ActorKind[];
export const outcomes = [
  'success',
  'denied',
  'failure',
] as const satisfies readonly ActivityOutcome[];

/** Which part of the audit trail to show. */
export interface AuditParams {
  from?: TimeBound | undefined;
  to?: TimeBound | undefined;
  actor?: ActorKind | undefined;
  actorId?: string | undefined;
  operation?: string | undefined;
  object?: string | undefined;
  objectId?: string | undefined;
  outcome?: ActivityOutcome | undefined;
  service?: string | undefined;
}

/** What the URL of the organization says. */
export interface OrganizationParams extends AuditParams {
  tab?: (typeof tabs)[number] | undefined;
  /** Whether the form for a new key is open. */
  new?: true | undefined;
}

export function readOrganizationParams(raw: Record<string, unknown>): OrganizationParams {
  return {
    tab: param.oneOf(raw, 'tab', tabs),
    new: param.flag(raw, 'new'),
    from: param.bound(raw, 'from'),
    to: param.bound(raw, 'to'),
    actor: param.oneOf(raw, 'actor', actorKinds),
    actorId: param.text(raw, 'actorId', 255),
    operation: param.text(raw, 'operation', 255),
    object: param.text(raw, 'object', 255),
    objectId: param.text(raw, 'objectId', 255),
    outcome: param.oneOf(raw, 'outcome', outcomes),
    service: uuid(param.text(raw, 'service', 36)),
  };
}

const uuid = (text: string | undefined): string | undefined =>
  text !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
    ? text
    : undefined;
