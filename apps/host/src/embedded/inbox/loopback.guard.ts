import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';

/** Matches IPv4 addresses written as IPv6 too. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Admits callers on this machine, and answers 404 to all others, including those behind a proxy on this machine. It
 * also refuses web pages whose own name resolves to this machine (DNS rebinding): such a request names a host that is
 * neither an address nor `localhost`.
 */
@Injectable()
export class LoopbackGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { socket, headers } = context.switchToHttp().getRequest<IncomingMessage>();
    const address = socket.remoteAddress ?? '';
    const local = LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
    const called = isOwnName(headers.host ?? '');
    if (!local || !called || headers.forwarded || headers['x-forwarded-for']) throw ApiError.notFound();
    return true;
  }
}

/** @param host the name and the port of a `Host` header (RFC 9110 section 7.2) */
function isOwnName(host: string): boolean {
  const [, bracketed, plain = ''] = /^(?:\[(.+)\]|([^:]*))(?::\d+)?$/.exec(host) ?? [];
  return isIP(bracketed ?? plain) !== 0 || /^(.+\.)?localhost$/i.test(plain);
}
