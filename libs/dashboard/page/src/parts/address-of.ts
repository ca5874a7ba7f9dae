/** The address of a mailbox: `a@b.c` of `Name <a@b.c>`. */
export function addressOf(mailbox: string): string {
  return /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim();
}
