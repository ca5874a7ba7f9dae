import { relayIdOf } from './relay-id.js';

describe('relayIdOf', () => {
  it.each([
    [
      '250 Ok 0102018c2f4a8e1b-1f0e6a52-8a3e-4b66-9a38-2f5a0d5c7b21-000000',
      '0102018c2f4a8e1b-1f0e6a52-8a3e-4b66-9a38-2f5a0d5c7b21-000000',
    ],
    ['250 2.0.0 Ok: queued as 4F2KxQ0Zq2z1N', '4F2KxQ0Zq2z1N'],
    ['250 Ok: queued as ismtpd0034p1las1-vG_SxTq5Q', 'ismtpd0034p1las1-vG_SxTq5Q'],
    ['250 OK id=1rAbCd-000123-4E', '1rAbCd-000123-4E'],
    ['250 Great success', undefined],
    ['250 2.0.0 OK  1700000000 a1b2c3 - gsmtp', undefined],
    ['', undefined],
    [`250 queued as ${'x'.repeat(500)}`, 'x'.repeat(200)],
  ])('of %j', (reply, id) => {
    expect(relayIdOf(reply)).toBe(id);
  });
});
