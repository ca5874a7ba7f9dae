import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';

/** Matches IPv4 addresses written as IPv6 too. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Lets callers on this machine pass; for all others, those behind a proxy on this machine too, nothing is here. */
@Injectable()
export class LoopbackGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { socket, headers } = context.switchToHttp().getRequest<IncomingMessage>();
    const address = socket.remoteAddress ?? '';
    const local = LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
    if (!local || headers.forwarded || headers['x-forwarded-for']) throw ApiError.notFound();
    return true;
  }
}
