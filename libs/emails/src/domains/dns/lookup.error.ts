/** DNS gave no answer, so that a record is neither known to be there nor known to be missing. */
export class LookupError extends Error {
  override readonly name = 'LookupError';

  /** @param code of c-ares, such as `ETIMEOUT` or `ESERVFAIL` */
  constructor(
    readonly code: string,
    options?: { cause: unknown },
  ) {
    super(`DNS gave no answer: ${code}.`, options);
  }
}
