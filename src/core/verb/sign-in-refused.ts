import { Fault, type FaultCode, type FaultOptions } from '../../contract/errors.ts';

/** The account of a refused sign-in, as an audit line names it. */
export interface RefusedAccount {
  organizationId: string;
  serviceId: string;
  object: { kind: 'user'; id: string };
}

/** A sign-in to a known account is refused: which one is for the audit trail, never for the answer. */
export class SignInRefused extends Fault {
  readonly account: RefusedAccount;

  constructor(
    { code, message }: { code: FaultCode; message: string },
    account: RefusedAccount,
    options?: FaultOptions,
  ) {
    super(code, message, options);
    this.name = 'SignInRefused';
    this.account = account;
  }
}
