import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isFromThisMachine } from './this-machine.js';

const asked = (remoteAddress: string | undefined, headers: IncomingHttpHeaders = {}) =>
  isFromThisMachine({ socket: { remoteAddress }, headers: { host: '127.0.0.1:3000', ...headers } } as IncomingMessage);

describe('isFromThisMachine', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('knows %s', (address) => {
    expect(asked(address)).toBe(true);
  });

  it.each(['10.0.0.1', '::ffff:10.0.0.1', '::', 'fe80::1', '128.0.0.1', '', undefined])(
    'does not treat a caller at %s as local',
    (address) => {
      expect(asked(address)).toBe(false);
    },
  );

  it.each(['forwarded', 'x-forwarded-for'])('does not treat a caller behind a proxy as local: %s', (header) => {
    expect(asked('127.0.0.1', { [header]: '127.0.0.1' })).toBe(false);
  });

  it.each(['127.0.0.1', 'localhost:3000', 'LOCALHOST', 'mail.localhost', '[::1]:3000', '[::1]'])(
    'may be called %s',
    (host) => {
      expect(asked('127.0.0.1', { host })).toBe(true);
    },
  );

  it.each(['evil.test', 'evil.test:3000', 'localhost.evil.test', '127.0.0.1.evil.test', 'notlocalhost', ''])(
    'refuses a page that calls this machine %j',
    (host) => {
      expect(asked('127.0.0.1', { host })).toBe(false);
    },
  );
});
