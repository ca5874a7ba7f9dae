/** The process cannot start for a reason that its operator can fix; the message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
