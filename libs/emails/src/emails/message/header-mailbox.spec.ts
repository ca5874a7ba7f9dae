import fc from 'fast-check';
import MimeNode from 'nodemailer/lib/mime-node';
import { headerMailbox } from './header-mailbox.js';

const mailbox = (name: string, envelope: string) => ({ name, envelope }) as Parameters<typeof headerMailbox>[0];

it('writes names as nodemailer does', () => {
  const names = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...'aB 1é日"\\,@') }),
  );
  fc.assert(
    fc.property(names, (text) => {
      const name = text.replace(/[\p{Cc}\p{Cs}]/gu, '');
      const expected = MimeNode.encodeHeaderValue('To', [{ name, address: 'a@to.test' }]);
      expect(headerMailbox(mailbox(name, 'a@to.test'))).toBe(expected);
    }),
  );
});

it.each([
  ['a@to.test', 'a@to.test'],
  ['"a,b"@to.test', '<"a,b"@to.test>'],
  ['jörg@xn--bcher-kva.example', 'jörg@xn--bcher-kva.example'],
])('keeps the address %s: %s', (envelope, expected) => {
  expect(headerMailbox(mailbox('', envelope))).toBe(expected);
});
