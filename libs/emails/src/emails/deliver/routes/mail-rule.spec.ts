import type { MailRule } from '../../ports/named-transport.js';
import type { RoutedMail } from '../../ports/route-chooser.js';
import { mayTake } from './mail-rule.js';

const MAIL: RoutedMail = {
  accountId: 'one',
  emailId: 'email',
  fromDomain: 'xn--mller-kva.example',
  recipientDomains: ['to.test', 'eu.to.test'],
  tags: [{ name: 'kind', value: 'receipt' }],
  tried: [],
};

describe('mayTake', () => {
  it.each<[MailRule | undefined, boolean]>([
    [undefined, true],
    [{}, true],
    [{ accounts: ['two', 'one'] }, true],
    [{ accounts: ['two'] }, false],
    [{ accounts: [] }, false],
    [{ fromDomains: ['MÜLLER.example'] }, true],
    [{ fromDomains: ['example'] }, false],
    [{ fromDomains: ['*.example'] }, true],
    [{ fromDomains: ['*.müller.example'] }, false],
    [{ recipientDomains: ['to.test'] }, false],
    [{ recipientDomains: ['TO.test', '*.to.test'] }, true],
    [{ recipientDomains: ['*.test'] }, true],
    [{ tags: ['kind'] }, true],
    [{ tags: ['kind=receipt'] }, true],
    [{ tags: ['kind=news', 'receipt'] }, false],
    [{ accounts: ['one'], tags: ['news'] }, false],
  ])('%j: %p', (rule, expected) => {
    expect(mayTake(rule)(MAIL)).toBe(expected);
  });
});
