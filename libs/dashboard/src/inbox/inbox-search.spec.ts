import type { InboxMessage } from './dashboard-inbox.js';
import { type InboxSearch, matching, readInboxSearch } from './inbox-search.js';

const message = (id: string, fields: Partial<InboxMessage> = {}): InboxMessage => ({
  id,
  from: 'shop@from.test',
  to: ['jane@to.test'],
  subject: 'Your order 1182',
  received_at: '2026-11-26T10:00:00.000Z',
  size: 1,
  attachments: 0,
  ...fields,
});

const MESSAGES = [
  message('order'),
  message('file', { subject: 'Invoice', attachments: 1 }),
  message('joe', { to: ['joe@to.test', 'Ann@To.test'], subject: 'A note: to:be or not' }),
];

function found(text: string): string[] {
  const search = readInboxSearch(text);
  expect(search).toEqual(expect.any(Object));
  return matching(MESSAGES, search as InboxSearch).map(({ id }) => id);
}

describe('a search of the inbox', () => {
  it.each([
    ['', ['order', 'file', 'joe']],
    ['  ', ['order', 'file', 'joe']],
    ['jane', ['order', 'file']],
    ['jane 1182', ['order']],
    ['SHOP@', ['order', 'file', 'joe']],
    ['to:ann', ['joe']],
    ['to:joe to:ann', ['joe']],
    ['to:joe to:jane', []],
    ['from:shop subject:invoice', ['file']],
    ['subject:"order 1182"', ['order']],
    ['subject:"order 1182', ['order']],
    ['"your order"', ['order']],
    ['"to:be"', ['joe']],
    ['has:attachment', ['file']],
    ['HAS:Attachment jane', ['file']],
    ['has:attachment order', []],
    ['constructor', []],
    ['"', ['order', 'file', 'joe']],
    [':', ['joe']],
  ])('%j finds %j', (text, ids) => {
    expect(found(text)).toEqual(ids);
  });

  it.each(['has:image', 'sender:x', 'to:', 'subject:""', 'constructor:x', 'jane cc:x'])(
    '%j is not understood',
    (text) => {
      expect(readInboxSearch(text)).toMatch(/^`.+` is no filter\. Filters are /);
    },
  );
});
