/**
 * A fault of the server of one address:
 * - `slow`: it accepts after 30 seconds;
 * - `closed`: it closes the connection at the first attempt of each email;
 * - `toomuch`: it gets too much of the sender for a minute;
 * - `dead`: it closes each connection for ten minutes.
 */
export type MailboxFault = 'slow' | 'closed' | 'toomuch' | 'dead';

/** Milliseconds. `closed` lasts one attempt. */
export const DURATIONS = { slow: 30_000, toomuch: 60_000, dead: 600_000 } as const;

const FAULTS: readonly MailboxFault[] = ['slow', 'closed', 'toomuch', 'dead'];

/** The fault that the name of an address asks for, as in the local inbox of the host: `slow…`, `closed…`, and so on. */
export function faultOf(address: string): MailboxFault | undefined {
  const name = address.toLowerCase().replace(/^"/, '');
  return FAULTS.find((fault) => name.startsWith(fault));
}
