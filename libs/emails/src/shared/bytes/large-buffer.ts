/** Above the largest M_MMAP_THRESHOLD of glibc, 32 MiB (mallopt(3)). */
const OWN_MAPPING = 34_000_000;
/** Size from which this pays off. Bytes. */
const LARGE = 4_000_000;

/**
 * Memory for a file, not cleared. A large file gets more than 32 MiB of addresses, because glibc returns blocks of that
 * size to the system at once, and addresses that are never written cost nothing. glibc keeps and splits smaller blocks,
 * until the process has twice the memory that it uses.
 */
export function allocateBytes(length: number): Buffer {
  if (length < LARGE) return Buffer.allocUnsafe(length);
  return Buffer.allocUnsafeSlow(Math.max(length, OWN_MAPPING)).subarray(0, length);
}
