import { addressOf } from './mailbox';

describe('addressOf', () => {
  it.each([
    ['jane@example.com', 'jane@example.com'],
    ['Jane Doe <jane@example.com>', 'jane@example.com'],
    ['"Doe, <Jane>" <jane@example.com> ', 'jane@example.com'],
    ['<jane@example.com>', 'jane@example.com'],
  ])('of %s is %s', (mailbox, address) => {
    expect(addressOf(mailbox)).toBe(address);
  });
});
