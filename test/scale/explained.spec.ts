import { compare, readExplained } from './explained.js';

const page = (...rows: string[]) =>
  [
    'Text',
    '<!-- obstacles:start -->',
    '',
    '| rule | entries | why | cost |',
    '|---|---|---|---|',
    ...rows,
    '',
    '<!-- obstacles:end -->',
    'Text',
  ].join('\n');

describe('readExplained', () => {
  it('reads each name of a row with its rule', () => {
    expect(
      readExplained(
        page('| unique key | `a_pkey`, `b_pkey` | Because. | Little. |', '| trigger | `a.b` | So. | A bit. |'),
      ),
    ).toEqual([
      { rule: 'unique key', name: 'a_pkey' },
      { rule: 'unique key', name: 'b_pkey' },
      { rule: 'trigger', name: 'a.b' },
    ]);
  });

  it('ignores tables outside of the marks', () => {
    expect(readExplained(`| trigger | \`c.d\` | So. | A bit. |\n${page()}`)).toEqual([]);
  });

  it('skips a row without a reason', () => {
    expect(readExplained(page('| trigger | `a.b` | | A bit. |'))).toEqual([]);
  });

  it('refuses an entry that is explained twice', () => {
    const row = '| trigger | `a.b` | So. | A bit. |';
    expect(() => readExplained(page(row, row))).toThrow('"trigger a.b" twice');
  });

  it('refuses a page without the table', () => {
    expect(() => readExplained('# Scale')).toThrow('no marks');
  });
});

describe('compare', () => {
  it('names new obstacles, and explanations of gone ones', () => {
    const [a, b] = [
      { rule: 'trigger', name: 'a' },
      { rule: 'trigger', name: 'b' },
    ];
    expect(compare([a], [b])).toEqual({ unexplained: ['trigger a'], gone: ['trigger b'] });
    expect(compare([a, b], [b, a])).toEqual({ unexplained: [], gone: [] });
  });
});
