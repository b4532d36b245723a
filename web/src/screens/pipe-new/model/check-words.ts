import type { PipeCheck } from '../../../api/queries/new-pipe.ts';

type StepName = PipeCheck['steps'][number]['step'];
type Reason = PipeCheck['issues'][number]['reason'];

export const stepWords: Record<StepName, string> = {
  connect: 'Reach the source and log in',
  find: 'Find what is to be read',
  read: 'Read from it',
  registry: 'Reach the schema registry',
  replicate: 'Replicate changes',
};

export const reasonWords: Record<Reason, string> = {
  host_not_found: 'There is no such host',
  address_refused: 'This server must not connect to the address',
  connection_failed: 'There is no connection',
  timed_out: 'The source does not answer in time',
  tls_refused: 'The connection cannot be encrypted',
  login_refused: 'The source refuses the login',
  not_permitted: 'The login lacks a right',
  not_found: 'Something that you named does not exist',
  nothing_found: 'Nothing matches',
  replication_refused: 'The database cannot replicate to this login',
  unsupported: 'Pipes do not support this',
  unreadable: 'The data cannot be read',
};
