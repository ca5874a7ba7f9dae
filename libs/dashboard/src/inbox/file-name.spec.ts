import { disposition } from './file-name.js';

describe('disposition', () => {
  it.each([
    ['report.pdf', `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
    ['Grüße.pdf', `attachment; filename="Gr__e.pdf"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf`],
    ['a"b\\c.txt', `attachment; filename="a_b_c.txt"; filename*=UTF-8''a%22b_c.txt`],
    ['a\r\nSet-Cookie: x=y', `attachment; filename="a__Set-Cookie_ x_y"; filename*=UTF-8''a__Set-Cookie%3A%20x%3Dy`],
    ['../../etc/passwd', `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
    ['invoice\u202Egpj.exe', `attachment; filename="invoice_gpj.exe"; filename*=UTF-8''invoice_gpj.exe`],
    ["it's (a) *.txt", `attachment; filename="it_s _a_ _.txt"; filename*=UTF-8''it%27s%20%28a%29%20%2A.txt`],
    ['\uD800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
  ])('reduces %j to a plain name', (name, expected) => {
    expect(disposition(name)).toBe(expected);
  });

  it('is bounded', () => {
    expect(disposition('ü'.repeat(100_000)).length).toBeLessThan(2_000);
  });
});
