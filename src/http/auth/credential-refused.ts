import { Fault, type FaultCode } from '../../contract/errors.ts';

/**
 * A caller is kept out, and it is known whose credential was shown: for the audit trail, never for
 * the answer.
 */
export class CredentialRefused extends Fault {
  /** Without a key: a session of a user of that organization. */
  readonly whose: { organizationId: string; key?: { id: string; name: string } };

  constructor(fault: { code: FaultCode; message: string }, whose: CredentialRefused['whose']) {
    super(fault.code, fault.message);
    this.name = 'CredentialRefused';
    this.whose = whose;
  }
}
