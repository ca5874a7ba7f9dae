import type { ExecutionContext } from '@nestjs/common';
import { LoopbackGuard } from './loopback.guard.js';

describe('LoopbackGuard', () => {
  const admits = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => {
    const request = { socket: { remoteAddress }, headers: { host: '127.0.0.1:3000', ...headers } };
    const context = { switchToHttp: () => ({ getRequest: () => request }) };
    return () => new LoopbackGuard().canActivate(context as ExecutionContext);
  };

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('lets %s pass', (address) => {
    expect(admits(address)()).toBe(true);
  });

  it.each(['10.0.0.1', '192.168.1.1', '::ffff:10.0.0.1', '::', 'fe80::1', '128.0.0.1', '', undefined])(
    'refuses %s',
    (address) => {
      expect(admits(address)).toThrow(expect.objectContaining({ statusCode: 404, name: 'not_found' }));
    },
  );

  it.each(['forwarded', 'x-forwarded-for'])('refuses callers behind a proxy that sets %s', (header) => {
    expect(admits('127.0.0.1', { [header]: '127.0.0.1' })).toThrow('nothing at this path');
  });

  it.each([
    '127.0.0.1',
    '127.0.0.1:3000',
    'localhost:3000',
    'LOCALHOST',
    'inbox.localhost:3000',
    '[::1]:3000',
    '[::1]',
  ])('admits callers of %s', (host) => {
    expect(admits('127.0.0.1', { host })()).toBe(true);
  });

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'notlocalhost',
    '',
  ])('refuses callers of %s, for any address', (host) => {
    expect(admits('127.0.0.1', { host })).toThrow('nothing at this path');
  });
});
