import type { ExecutionContext } from '@nestjs/common';
import { LoopbackGuard } from './loopback.guard.js';

describe('LoopbackGuard', () => {
  const admits = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => {
    const request = { socket: { remoteAddress }, headers };
    const context = { switchToHttp: () => ({ getRequest: () => request }) };
    return () => new LoopbackGuard().canActivate(context as ExecutionContext);
  };

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('lets %s pass', (address) => {
    expect(admits(address)()).toBe(true);
  });

  it.each(['10.0.0.1', '192.168.1.1', '::ffff:10.0.0.1', '::', 'fe80::1', '128.0.0.1', '', undefined])(
    'has nothing for %s',
    (address) => {
      expect(admits(address)).toThrow(expect.objectContaining({ statusCode: 404, name: 'not_found' }));
    },
  );

  it.each(['forwarded', 'x-forwarded-for'])('has nothing for callers behind a proxy that sets %s', (header) => {
    expect(admits('127.0.0.1', { [header]: '127.0.0.1' })).toThrow('nothing at this path');
  });
});
