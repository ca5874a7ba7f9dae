import type { EmailTransport } from '../../ports/email-transport.js';
import type { NamedTransport } from '../../ports/named-transport.js';
import { nameOfHop } from '../hop/next-hop.js';
import { limitsOf } from './transport-limits.js';

/** One transport, or several. */
interface TransportOptions {
  transport?: EmailTransport | undefined;
  transports?: readonly NamedTransport[] | undefined;
}

/** The transports of the options, `transport` as the only one. */
export function transportsOf({ transport, transports }: TransportOptions): NamedTransport[] {
  return [...(transports ?? (transport ? [{ transport }] : []))];
}

/** Their names and limits. */
export function limitedTransports(options: TransportOptions) {
  return transportsOf(options).map((named) => ({ name: nameOf(named), limits: limitsOf(named) }));
}

/** Their names, the same in every process. */
export function namesOfTransports(options: TransportOptions): string[] {
  return transportsOf(options).map(nameOf);
}

function nameOf({ name, transport }: NamedTransport): string {
  return name ?? nameOfHop(transport);
}
