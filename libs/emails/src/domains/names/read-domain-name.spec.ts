import { PublicSuffixes } from './public-suffixes.js';
import { readDomainName } from './read-domain-name.js';

describe('readDomainName', () => {
  it.each([
    ['EXAMPLE.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    [`${'l'.repeat(63)}.example`, `${'l'.repeat(63)}.example`],
  ])('reads %s', (text, name) => expect(readDomainName(text, 'send')).toBe(name));

  it.each([
    '',
    '.',
    'com',
    'a..b',
    '.a.b',
    'a.b..',
    'a_b.c',
    '1.2.3.4',
    'ｅxample.com',
    'example。com',
    '[::1]',
    'a b.c',
  ])('refuses %j', (text) => expect(() => readDomainName(text, 'send')).toThrow(/^`name` must/));

  it('leaves room for the names of the records', () => {
    const longest = `${'a.'.repeat(110)}example.com`;
    expect(readDomainName(longest, 'send')).toHaveLength(231);
    expect(() => readDomainName(`bc.${longest}`, 'send')).toThrow('at most 233 characters');
    expect(() => readDomainName(longest, 'r'.repeat(63))).toThrow('at most 189 characters');
  });
});

describe('PublicSuffixes', () => {
  const suffixes = new PublicSuffixes();
  beforeAll(() => suffixes.onModuleInit());

  it.each(['co.uk', 'github.io', 'xn--p1ai', 'test'])('refuses %s', (name) =>
    expect(() => suffixes.refuse(name)).toThrow('everybody can register'),
  );

  it.each([
    ['example.com', 'example.com'],
    ['mail.example.co.uk', 'example.co.uk'],
    ['me.github.io', 'me.github.io'],
    ['a.b.shop.test', 'shop.test'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('accepts %s, of %s', (name, registered) => {
    suffixes.refuse(name);
    expect(suffixes.registered(name)).toBe(registered);
  });
});
