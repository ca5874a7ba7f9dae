/** Bytes that cost as much as a recipient. */
const BYTES_OF_RECIPIENT = 100_000;

/**
 * Cost of an email for the turns of its account.
 *
 * @param bytes of html, text and attachments
 */
export function turnCost(recipients: number, bytes: number): number {
  return recipients + bytes / BYTES_OF_RECIPIENT;
}
