import type { Reply } from './reply-reader.js';

/** Properties of a connection error, in addition to text and kind. */
interface Details {
  /** The server's reply code. Absent: there was no reply. */
  responseCode?: number;
  /** The system's code, such as `ECONNREFUSED`. */
  originalCode?: string | undefined;
}

/** Creates the error of an unusable connection. @param code its kind, in one word */
export function fault(text: string, code: string, details: Details = {}): Error {
  return Object.assign(new Error(text), { code, ...details });
}

/** @throws Error unless the reply is 2yz. @param what name of the request */
export function mustAccept({ code: responseCode, text }: Reply, what: string, code: string): void {
  if (responseCode >= 300) throw fault(`The next hop refused ${what}: ${text}`, code, { responseCode });
}

/** Returns the system's error. If several addresses failed, the first stands for all. */
export function brokenBy(error: unknown, code: string): Error {
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  const { message, code: originalCode, syscall } = first as NodeJS.ErrnoException;
  return fault(message, syscall === 'getaddrinfo' ? 'EDNS' : code, { originalCode });
}

export function transportClosed(): Error {
  return new Error('The transport is closed.');
}
