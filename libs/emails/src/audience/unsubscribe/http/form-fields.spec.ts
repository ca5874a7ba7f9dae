import fc from 'fast-check';
import { formFields } from './form-fields.js';

const multipart = (...parts: string[]) => Buffer.from(`${parts.map((part) => `--X\r\n${part}\r\n`).join('')}--X--\r\n`);
const part = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
const MULTIPART = 'multipart/form-data; boundary=X';

describe('formFields', () => {
  // RFC 8058 section 8.
  it.each([
    [Buffer.from('List-Unsubscribe=One-Click'), 'application/x-www-form-urlencoded'],
    [Buffer.from('List-Unsubscribe=One-Click'), 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'],
    [Buffer.from('List-Unsubscribe=One-Click'), undefined],
    [multipart(part('List-Unsubscribe', 'One-Click')), MULTIPART],
    [multipart(part('List-Unsubscribe', 'One-Click')), 'multipart/form-data;charset=x; Boundary="X"'],
    [multipart(`Content-Type: text/plain\r\n${part('List-Unsubscribe', 'One-Click')}`), MULTIPART],
    [multipart('content-disposition: form-data; name=List-Unsubscribe\r\n\r\nOne-Click'), MULTIPART],
    [multipart('Content-Disposition: form-data; name=List-Unsubscribe ; x=y\r\n\r\nOne-Click'), MULTIPART],
    [Buffer.from(`preamble\r\n${multipart(part('List-Unsubscribe', 'One-Click'))}epilogue`), MULTIPART],
  ])('reads one click %#', (body, type) => {
    expect(formFields(body, type)).toEqual([['List-Unsubscribe', 'One-Click']]);
  });

  it('reads several fields, empty ones and UTF-8', () => {
    expect(formFields(multipart(part('a', ''), part('ü', 'é\r\nz'), part('a', '2')), MULTIPART)).toEqual([
      ['a', ''],
      ['ü', 'é\r\nz'],
      ['a', '2'],
    ]);
    expect(formFields(Buffer.from('a=&b=%C3%A9+z&a=2'))).toEqual([
      ['a', ''],
      ['b', 'é z'],
      ['a', '2'],
    ]);
    expect(formFields(Buffer.alloc(0))).toEqual([]);
  });

  it.each([
    [Buffer.from('x'), 'multipart/form-data', 400],
    [Buffer.from('--X\r\n'), MULTIPART, 400],
    [Buffer.from('--X\r\nnothing\r\n--X--'), MULTIPART, 400],
    [Buffer.from(''), MULTIPART, 400],
    [Buffer.from('{}'), 'application/json', 415],
    [Buffer.from('{}'), '', 415],
  ])('refuses %s as %s', (body, type, statusCode) => {
    expect(() => formFields(body, type)).toThrow(expect.objectContaining({ statusCode }));
  });

  it('takes any bytes', () => {
    const any = fc.oneof(fc.string(), fc.constant('--X'), fc.constant('\r\n'), fc.constant('; name="a"'));
    fc.assert(
      fc.property(fc.array(any), fc.constantFrom(MULTIPART, undefined), (pieces, type) => {
        try {
          formFields(Buffer.from(pieces.join('')), type);
        } catch (error) {
          expect(error).toMatchObject({ statusCode: 400 });
        }
      }),
    );
  });
});
