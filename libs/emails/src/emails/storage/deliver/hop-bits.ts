import { createHash } from 'node:crypto';

/** Bits of a `bigint` in PostgreSQL, without its sign. */
const BITS = 63n;

/**
 * The hops that an email waits for, as one number with a bit for each: any of them may take it. Two hops may share a bit
 * (`HopBits`); then the return of one also wakes the emails that wait for the other, and these wait again.
 */
export function hopBits(names: Iterable<string>): bigint {
  let bits = 0n;
  for (const name of names) bits |= 1n << (BigInt(createHash('sha256').update(name).digest().readUInt32BE(0)) % BITS);
  return bits;
}

/** The bit of each hop of a host: configured ones share none as long as there are enough, whatever the order of the list. */
export class HopBits {
  private readonly known = new Map<string, bigint>();
  private taken = 0n;

  /** @param names of the configured hops */
  constructor(names: Iterable<string>) {
    for (const name of [...new Set(names)].sort()) {
      const bit = this.of(name);
      this.known.set(name, bit);
      this.taken |= bit;
    }
  }

  /** @param name also of another hop, such as an account's own: those share bits among them */
  of(name: string): bigint {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const first = hopBits([name]);
    let bit = first;
    for (let n = 0n; n < BITS; n++) {
      if ((this.taken & bit) === 0n) return bit;
      bit = bit << 1n < 1n << BITS ? bit << 1n : 1n;
    }
    return first;
  }
}
