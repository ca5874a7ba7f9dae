/** The process cannot start, for a reason that its operator can do something about: the message says what. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
