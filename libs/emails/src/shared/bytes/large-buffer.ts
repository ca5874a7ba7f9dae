/** Above the largest M_MMAP_THRESHOLD of glibc, 32 MiB (mallopt(3)). */
const OWN_MAPPING = 34_000_000;
/** Bytes from which it is worth it. */
const LARGE = 4_000_000;

/**
 * Memory for a file, not cleared. A large one gets more than 32 MiB of addresses, of which those that are never written
 * to cost nothing: glibc gives blocks of that size back to the system at once. Smaller ones it keeps and cuts up, until
 * the process has twice the memory that it uses.
 */
export function allocateBytes(length: number): Buffer {
  if (length < LARGE) return Buffer.allocUnsafe(length);
  return Buffer.allocUnsafeSlow(Math.max(length, OWN_MAPPING)).subarray(0, length);
}
