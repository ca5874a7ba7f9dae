import { createHash } from 'node:crypto';

/** Bits of a `bigint` in PostgreSQL, without its sign. */
const BITS = 63n;

/**
 * The hops that an email waits for, as one number with a bit for each: any of them may take it. Two hops may share a bit;
 * then the return of one also wakes the emails that wait for the other, and these wait again.
 */
export function hopBits(names: Iterable<string>): bigint {
  let bits = 0n;
  for (const name of names) bits |= 1n << (BigInt(createHash('sha256').update(name).digest().readUInt32BE(0)) % BITS);
  return bits;
}
