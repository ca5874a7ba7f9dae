import { askedChange } from './asked-change.js';

const ID = '0196a000-0000-7000-8000-00000000000b';

describe('askedChange', () => {
  it.each([
    [[['List-Unsubscribe', 'One-Click']], { kind: 'one_click' }],
    [[['list-unsubscribe', 'one-click ']], { kind: 'one_click' }],
    [[['all', '1']], { kind: 'all' }],
    [[['topic', ID]], { kind: 'topic', topicId: ID, subscription: 'opt_out' }],
    [
      [
        ['choice', 'opt_in'],
        ['topic', ID.toUpperCase()],
      ],
      { kind: 'topic', topicId: ID, subscription: 'opt_in' },
    ],
  ] as const)('reads %j', (fields, change) => {
    expect(askedChange(fields)).toEqual(change);
  });

  it.each([
    [[]],
    [[['List-Unsubscribe', 'Two-Clicks']]],
    [[['all', '0']]],
    [[['topic', 'x']]],
    [
      [
        ['topic', ID],
        ['choice', 'maybe'],
      ],
    ],
    [[['__proto__', '1']]],
  ] as const)('refuses %j', (fields) => {
    expect(() => askedChange(fields)).toThrow(expect.objectContaining({ statusCode: 422 }));
  });
});
