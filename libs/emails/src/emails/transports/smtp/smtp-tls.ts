import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { CommandDialogue } from './command-dialogue.js';
import { mustAccept } from './smtp-fault.js';

export interface SmtpTlsOptions {
  host: string;
  /** Milliseconds; also the limit of a handshake. */
  connectionTimeout: number;
  tls?: ConnectionOptions | undefined;
}

/** Starts TLS on a connection in clear (RFC 3207). */
export async function startTls(dialogue: CommandDialogue, options: SmtpTlsOptions): Promise<void> {
  mustAccept(await dialogue.ask('STARTTLS'), 'STARTTLS', 'ETLS');
  await beginTls(dialogue, options);
}

/** Runs the handshake. The certificate must match the host, or `tls.servername`, unless `tls` says otherwise. */
export function beginTls(dialogue: CommandDialogue, { host, connectionTimeout, tls }: SmtpTlsOptions): Promise<void> {
  return dialogue.secure({ host, ...(!isIP(host) && { servername: host }), ...tls }, connectionTimeout);
}
