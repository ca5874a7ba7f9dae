import { bareMessageId, emailIdIn } from './message-id.js';

const EMAIL = '0196a000-0000-7000-8000-000000000001';

describe('a Message-ID', () => {
  it.each([
    ['<a@b>', 'a@b'],
    [' a@b ', 'a@b'],
    ['<<a@b>', '<a@b'],
  ])('%j is %j without brackets', (given, bare) => {
    expect(bareMessageId(given)).toBe(bare);
  });

  it.each([
    [`<${EMAIL}@from.test>`, EMAIL],
    [`${EMAIL.toUpperCase()}@from.test`, EMAIL],
    [`<x${EMAIL}@from.test>`, undefined],
    [`<${EMAIL}>`, undefined],
    ['', undefined],
  ])('%j has the id %j', (messageId, id) => {
    expect(emailIdIn(messageId)).toBe(id);
  });
});
