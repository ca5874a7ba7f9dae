import { addressOf } from './address-of';

describe('addressOf', () => {
  it.each([
    ['a@b.test', 'a@b.test'],
    ['Ann <a@b.test>', 'a@b.test'],
    ['"Ann <x@y.test>" <a@b.test>', 'a@b.test'],
    ['<a@b.test> ', 'a@b.test'],
    ['Ann <a@b.test', 'Ann <a@b.test'],
  ])('of %j is %j', (mailbox, address) => {
    expect(addressOf(mailbox)).toBe(address);
  });
});
