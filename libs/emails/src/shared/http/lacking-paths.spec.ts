import { lackingAt } from './lacking-paths.js';

const ID = '0198f0c1-0000-7000-8000-000000000000';

describe('lackingAt', () => {
  it.each([
    ['/broadcasts', 'broadcasts'],
    ['/Broadcasts/?limit=5', 'broadcasts'],
    [`/broadcasts/${ID}/send`, 'broadcasts'],
    [`/audiences/${ID}/contacts/a@b.test`, 'audiences'],
    ['/contacts/imports', 'contact imports'],
    [`/contacts/a@b.test/segments/${ID}`, 'segments'],
    ['/emails/receiving/x/attachments', 'received emails'],
    [`/emails/${ID}`, 'operations on a single email'],
    [`/emails/${ID}/cancel`, 'canceling of emails'],
  ])('says of %s that this server has no %s', (path, what) => {
    expect(lackingAt(path)).toBe(`This server has no ${what}.`);
  });

  it.each([
    '',
    '/',
    '/emails',
    '/emails/',
    '/emails?x=/broadcasts',
    '/contacts/imports-of-mine',
    '/broadcast',
    '/v1/logs',
  ])('says nothing of %s', (path) => {
    expect(lackingAt(path)).toBeUndefined();
  });
});
