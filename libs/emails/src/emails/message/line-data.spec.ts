import { Readable } from 'node:stream';
import { encodingOf, mustStandAsIs } from './attachment-encoding.js';
import { lineDataOf } from './line-data.js';

it.each([
  ['', '7bit'],
  ['Subject: a\r\n\r\nb\r\n', '7bit'],
  ['a\nb\rc', '7bit'],
  ['Grüße\r\n', '8bit'],
  ['x'.repeat(998), '7bit'],
  [`${'x'.repeat(998)}\n${'x'.repeat(998)}\r${'x'.repeat(998)}`, '7bit'],
  ['x'.repeat(999), 'binary'],
  [`ü${'x'.repeat(997)}`, 'binary'],
  ['a\0b', 'binary'],
])('%j is %s, in any pieces', async (text, expected) => {
  const bytes = Buffer.from(text);
  expect(await lineDataOf(Readable.from([bytes]))).toBe(expected);
  expect(await lineDataOf(Readable.from([...bytes].map((byte) => Buffer.of(byte))))).toBe(expected);
});

it.each([
  ['message/rfc822', '7bit', '7bit'],
  ['message/rfc822', '8bit', '8bit'],
  ['Message/RFC822; name=a', '8bit', '8bit'],
  ['message/rfc822', 'binary', 'base64'],
  ['message/delivery-status', '7bit', '7bit'],
  ['message/delivery-status; charset=utf-8', '8bit', 'base64'],
  ['message/partial; id=1', '8bit', 'base64'],
  ['message/external-body', '8bit', 'base64'],
  ['message/delivery-status-of-mine', '8bit', '8bit'],
] as const)('%s with %s data is encoded in a message as %s', (type, data, encoding) => {
  expect(mustStandAsIs(type)).toBe(true);
  expect(encodingOf(type, data)).toBe(encoding);
});

it.each(['text/plain', 'application/pdf', 'message/global', 'message/global-delivery-status', 'x-message/rfc822'])(
  '%s may be encoded',
  (type) => {
    expect(mustStandAsIs(type)).toBe(false);
  },
);
