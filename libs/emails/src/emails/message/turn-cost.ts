/** Bytes that cost as much as a recipient. */
const BYTES = 100_000;

/** Cost of an email for the turns of its account. */
export function turnCost(recipients: number, bytes: number): number {
  return recipients + bytes / BYTES;
}
