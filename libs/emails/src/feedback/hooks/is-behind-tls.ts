import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/**
 * Whether the client uses TLS, according to the connection or a proxy's header. A client can set the header, which gains it
 * nothing: it is the one whose words could be read on the way.
 */
export function isBehindTls({ socket, headers }: IncomingMessage): boolean {
  return (
    socket instanceof TLSSocket ||
    /^https\b/i.test(String(headers['x-forwarded-proto'] ?? '')) ||
    /\bproto="?https\b/i.test(headers.forwarded ?? '')
  );
}
