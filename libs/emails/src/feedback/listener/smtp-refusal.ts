/** Reply of the listener to a command that it refuses. */
export class SmtpRefusal extends Error {
  override readonly name = 'SmtpRefusal';

  /** @param message without the code; the enhanced status first (RFC 3463) */
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}
