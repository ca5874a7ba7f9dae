import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/**
 * True if the client uses TLS, according to the connection or a proxy's header (`X-Forwarded-Proto`; `Forwarded`, RFC 7239
 * section 5.4). A client can set the header, so a false one must harm only its sender.
 */
export function isBehindTls({ socket, headers }: IncomingMessage): boolean {
  return (
    socket instanceof TLSSocket ||
    /^https\b/i.test(String(headers['x-forwarded-proto'] ?? '')) ||
    /\bproto="?https\b/i.test(headers.forwarded ?? '')
  );
}
