import { csvRecords } from './csv-records';

const read = (text: string) => [...csvRecords(text)].map(({ line, cells }) => [line, ...cells]);

describe('records of a CSV file', () => {
  it.each([
    ['nothing', '', []],
    ['one cell', 'a', [[1, 'a']]],
    [
      'commas',
      'a,b\nc,',
      [
        [1, 'a', 'b'],
        [2, 'c', ''],
      ],
    ],
    [
      'semicolons',
      'a;b,c;\nd;e',
      [
        [1, 'a', 'b,c', ''],
        [2, 'd', 'e'],
      ],
    ],
    ['a mark of UTF-8', '\ufeffa,b', [[1, 'a', 'b']]],
    [
      'every line break',
      'a\r\nb\rc\n',
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ],
    ],
    [
      'empty lines',
      '\n\na\n \n\nb',
      [
        [3, 'a'],
        [6, 'b'],
      ],
    ],
    ['quotes', '"a,b","say ""hi""",""', [[1, 'a,b', 'say "hi"', '']]],
    [
      'lines in quotes',
      '"a\r\nb",c\nd',
      [
        [1, 'a\r\nb', 'c'],
        [3, 'd'],
      ],
    ],
    [
      'a quote without its end',
      '"a,b\nc',
      [
        [1, '"a', 'b'],
        [2, 'c'],
      ],
    ],
    [
      'a quote in a cell',
      'a"b,"c"d\ne',
      [
        [1, 'a"b', '"c"d'],
        [2, 'e'],
      ],
    ],
    [
      'lines of separators',
      ',\n;',
      [
        [1, '', ''],
        [2, ';'],
      ],
    ],
  ])('are read with %s', (_, text, records) => {
    expect(read(text)).toEqual(records);
  });
});
