import { alerting } from './alerting.ts';
import { audit } from './audit.ts';
import { base } from './base.ts';
import type { Migration } from './migration.ts';
import { nodes } from './nodes.ts';
import { objects } from './objects.ts';
import { outbox } from './outbox.ts';
import { people } from './people.ts';
import { pipes } from './pipes.ts';

/**
 * Every step in the order in which it is applied. New steps go to the end of their area; a step
 * that was released never changes.
 */
export const migrations: readonly Migration[] = [
  ...base,
  ...audit,
  ...alerting,
  ...pipes,
  ...objects,
  ...outbox,
  ...people,
  ...nodes,
];
