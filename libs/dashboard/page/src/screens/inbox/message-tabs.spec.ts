import { tabOf, tabsOf } from './message-tabs';

const file = { index: 0, filename: 'a.txt', content_type: 'text/plain', size: 1, content_id: null, is_image: false };
const plain = { has_html: false, unsupported: [], attachments: [] };
const use = { feature: 'video' as const, count: 3 };
const full = { has_html: true, unsupported: [use], attachments: [file, file] };

describe('tabs of a message', () => {
  it('are those with content', () => {
    expect(tabsOf(plain).map(({ title }) => title)).toEqual(['Text', 'Headers', 'Source']);
    expect(tabsOf(full).map(({ title }) => title)).toEqual([
      'HTML',
      'Text',
      'Headers',
      'Source',
      'Mail programs (1)',
      'Attachments (2)',
    ]);
  });

  it.each([
    [full, null, 'html'],
    [full, 'attachments', 'attachments'],
    [plain, null, 'text'],
    [plain, 'html', 'text'],
    [plain, 'headers', 'headers'],
    [plain, 'other', 'text'],
  ])('%#: the address chooses', (message, wanted, tab) => {
    expect(tabOf(message, wanted)).toBe(tab);
  });
});
