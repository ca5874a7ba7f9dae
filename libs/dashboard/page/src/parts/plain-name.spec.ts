import { plainName } from './plain-name';

describe('plainName', () => {
  it.each([
    ['Rechnung für März.pdf', 'Rechnung für März.pdf'],
    ['فاتورة.pdf', 'فاتورة.pdf'],
    ['invoice\u202efdp.exe', 'invoice\ufffdfdp.exe'],
    ['a\r\nb\u0000.txt', 'a\ufffd\ufffdb\ufffd.txt'],
  ])('shows %j as %j', (name, shown) => {
    expect(plainName(name)).toBe(shown);
  });
});
