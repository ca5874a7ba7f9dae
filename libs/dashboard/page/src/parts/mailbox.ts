/** The address of `Jane Doe <jane@example.com>`, or of a plain address. */
export function addressOf(mailbox: string): string {
  return /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim();
}
