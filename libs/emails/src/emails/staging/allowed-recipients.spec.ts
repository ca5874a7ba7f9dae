import { AllowedRecipients } from './allowed-recipients.js';

const ask = (onlyTo: string[], ...addresses: string[]) =>
  new AllowedRecipients(onlyTo).decide({ accountId: 'one', emailId: 'e', topicId: null, addresses });
const allowed = { allowed: true };
const refused = { allowed: false, code: 'not_allowed_here' };

describe('AllowedRecipients', () => {
  it('decides for each address in the order given', async () => {
    expect(await ask(['me@example.net', 'example.org'], 'a@example.org', 'a@example.net', 'me@example.net')).toEqual([
      allowed,
      refused,
      allowed,
    ]);
  });

  it.each([
    ['Me@Example.NET', 'mE@example.net'],
    ['"me"@example.net', 'me@example.net'],
    ['jo\u0308rg@example.net', 'JÖRG@example.net'],
    ['a@Bücher.example', 'A@xn--bcher-kva.example'],
    ['BÜCHER.example', 'anybody@xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'anybody@xn--bcher-kva.example'],
    ['Example.ORG', 'x@example.org'],
  ])('%j allows %j', async (entry, address) => {
    expect(await ask([entry], address)).toEqual([allowed]);
  });

  it.each([
    ['example.org', 'x@sub.example.org'],
    ['example.org', 'x@notexample.org'],
    ['example.org', 'x@example.org.evil.test'],
    ['example.org', '"a@example.org"@evil.test'],
    ['example.org', 'example.org@evil.test'],
    ['me@example.net', 'you@example.net'],
    ['me@example.net', 'me+tag@example.net'],
    ['me@example.net', 'me@sub.example.net'],
    ['jörg@example.net', 'jorg@example.net'],
    ['bücher.example', 'x@bucher.example'],
  ])('%j does not allow %j', async (entry, address) => {
    expect(await ask([entry], address)).toEqual([refused]);
  });
});
