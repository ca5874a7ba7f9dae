import { hashRequest } from './request-hash.js';

it('a request has the hash that it had in every version: who asks again during an upgrade gets his first answer', async () => {
  const lists = { to: ['d@e.f'], cc: [], bcc: [], reply_to: [], tags: [] };
  const attachments = [{ filename: 'a.bin', content: 'AAH+/w==' }];
  expect(await hashRequest({ from: 'a@b.c', ...lists, headers: {}, attachments })).toBe(
    '82cf6c01dd197eba1070251993e197ca4ebfb76237de58f5fb154dde0c0f8921',
  );
});
