import { tabOf, tabsOf } from './message-tabs';

const file = { index: 0, filename: 'a.txt', content_type: 'text/plain', size: 1, content_id: null };
const plain = { has_html: false, attachments: [] };
const full = { has_html: true, attachments: [file, file] };

describe('tabs of a message', () => {
  it('are those with content', () => {
    expect(tabsOf(plain).map(({ title }) => title)).toEqual(['Text', 'Headers', 'Source']);
    expect(tabsOf(full).map(({ title }) => title)).toEqual(['HTML', 'Text', 'Headers', 'Source', 'Attachments (2)']);
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
