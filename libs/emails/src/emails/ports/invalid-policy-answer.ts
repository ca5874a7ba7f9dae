/** A policy broke the contract of its port. At acceptance it is a 500 in the log, at delivery it defers the email. */
export class InvalidPolicyAnswer extends TypeError {
  override readonly name = 'InvalidPolicyAnswer';
}
