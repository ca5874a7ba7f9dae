import { csvRecord } from './csv.js';

describe('a CSV record', () => {
  it.each([
    [['a', '', 'b c'], 'a,,b c'],
    [['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"'],
    [['=1+1', '+1', '-1', '@x'], "'=1+1,'+1,'-1,'@x"],
    [['\t=1', '\r=1', '\n=1'], '\'\t=1,"\'\r=1","\'\n=1"'],
    [['="a","b"'], '"\'=""a"",""b"""'],
    [['a=1', "'=1", ' =1'], "a=1,'=1, =1"],
  ])('of %j is %j', (cells, record) => {
    expect(csvRecord(cells)).toBe(`${record}\r\n`);
  });
});
