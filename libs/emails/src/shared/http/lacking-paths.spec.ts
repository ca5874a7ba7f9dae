import { lackingAt, lackingWithin } from './lacking-paths.js';

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
  ])('reports for %s that this server has no %s', (path, what) => {
    expect(lackingAt(path)).toBe(`This server has no ${what}.`);
  });

  it.each([
    '',
    '/',
    '/emails',
    '/emails/',
    '/emails?x=/broadcasts',
    `/emails/${ID}`,
    `/emails/${ID}/cancel`,
    '/contacts/imports-of-mine',
    '/broadcast',
    '/v1/logs',
  ])('is undefined for %s', (path) => {
    expect(lackingAt(path)).toBeUndefined();
  });
});

it.each([
  ['/emails/:id', '/emails/receiving?x', 'received emails'],
  ['/api/v1/emails/:id', '/api/v1/emails/receiving', 'received emails'],
  ['/emails/emails/:id', '/emails/emails/receiving', 'received emails'],
  ['/contacts/:idOrEmail', '/contacts/imports', 'contact imports'],
])('lackingWithin reports for the route %s and the path %s that this server has no %s', (route, url, what) => {
  expect(lackingWithin(route, url)).toBe(`This server has no ${what}.`);
});

it.each([
  ['/emails/:id', '/emails/logs'],
  ['/emails/:id/cancel', `/emails/${ID}/cancel`],
  ['/emails/:id/events', `/emails/${ID}/events`],
  ['/things/:id', '/things/webhooks'],
])('lackingWithin is undefined for the route %s and the path %s', (route, url) => {
  expect(lackingWithin(route, url)).toBeUndefined();
});
