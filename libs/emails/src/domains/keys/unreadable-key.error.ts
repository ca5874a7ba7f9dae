/** A key of a domain is encrypted with a secret that this process does not have, or was changed. */
export class UnreadableKeyError extends Error {
  override readonly name = 'UnreadableKeyError';
}
