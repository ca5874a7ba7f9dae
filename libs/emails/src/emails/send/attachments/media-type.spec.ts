import { jest } from '@jest/globals';
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import { growth, LINEAR } from '../../../shared/work/growth.spec-tools.js';
import { isFilename, isMediaType, mediaTypeOf, withPlainParameters } from './media-type.js';

describe('isMediaType', () => {
  it.each([
    'text/plain',
    'TEXT/HTML',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'image/svg+xml',
    'text/plain; charset=utf-8',
    'text/plain;charset="utf-8"',
    'text/csv ; charset=iso-8859-1 ; name=a.csv',
    'text/csv; name="a; charset=b.csv"',
    'application/pdf; NAME="Übersicht \\"1\\".pdf"',
    'message/rfc822',
    'text/calendar; method=REQUEST',
    'text/calendar; charset=utf-8; method=REQUEST; component="VEVENT"',
    'text/html; format=flowed',
    'text/plain; boundary=x',
    'application/soap+xml; action="urn:a;b=c"; type="text/xml"',
    "application/x; a=!#$%&'*+-.^_`{|}~09aZ",
    'application/x; a="C:\\Users"',
    'application/x; empty=""',
  ])('takes %s', (value) => {
    expect(isMediaType(value)).toBe(true);
  });

  it.each([
    '',
    'text',
    'text/',
    '/plain',
    'text/plain/x',
    'text plain',
    ' text/plain',
    'text/plain ',
    'text/plain;',
    'text/plain; charset',
    'text/plain; charset=',
    'text/plain; charset=""',
    'text/plain; charset="a b"',
    'text/plain; charset="utf-8',
    'text/plain; charset=utf-8; charset=utf-7',
    'text/plain; name=a b',
    'text/plain; name="a"b"',
    'text/plain; name="=?utf-8?q?x?="',
    'text/plain; charset=utf-8, text/html',
    'text/calendar; method=REQUEST; Method=CANCEL',
    'text/calendar; method = REQUEST',
    'text/calendar; method=RE/QUEST',
    'text/calendar; =REQUEST',
    'text/calendar; me(thod=REQUEST',
    'text/calendar; méthod=REQUEST',
    'text/calendar; method="a\r\n b"',
    "text/plain; name*=utf-8''a",
    'text/plain\r\nX-Evil: 1',
    'text/plain; name="a\r\nX-Evil: 1"',
    'text/plain; name="a\0"',
    'text/plain; name="fdp\u202e.exe"',
    'text/plain (comment)',
    'téxt/plain',
    'multipart/mixed',
    'Multipart/Alternative; name=x',
    `text/${'x'.repeat(128)}`,
    `text/plain; name=${'x'.repeat(250)}`,
    5,
    null,
    ['text/plain'],
  ])('refuses %j', (value) => {
    expect(isMediaType(value)).toBe(false);
  });

  const hostilePieces = [' ; name=', '; name="', '; a*0*=', '\\"', ' ', ';', 'a/', '=?'];

  it('takes linear time for the longest hostile values', () => {
    const read = (length: number) => {
      // Often enough to be measurable.
      for (let time = 0; time < 300; time++) {
        for (const piece of hostilePieces)
          isMediaType(withPlainParameters(`a/b${piece.repeat(length / piece.length)}`));
      }
    };
    expect(growth(read, 15)).toBeLessThan(LINEAR);
  });

  it.each(hostilePieces)('does not read longer ones, such as many %j', (piece) => {
    const exec = jest.spyOn(RegExp.prototype, 'exec');
    const test = jest.spyOn(RegExp.prototype, 'test');
    const value = isMediaType(withPlainParameters(`a/b${piece.repeat(1_000_000)}`));
    const reads = exec.mock.calls.length + test.mock.calls.length;
    jest.restoreAllMocks();
    expect({ value, reads }).toEqual({ value: false, reads: 0 });
  });
});

describe('withPlainParameters', () => {
  it.each([
    ["text/csv; name*=utf-8''%C3%BCber%20a.csv", 'text/csv; name="über a.csv"'],
    ["text/csv; name*=iso-8859-1'de'%FCber.csv; charset=utf-8", 'text/csv; charset="utf-8"; name="über.csv"'],
    ['text/csv; name*0="a \\"b"; name*1=" c"', 'text/csv; name="a \\"b c"'],
    ["text/csv; name*0*=utf-8''%E2%82; name*1*=%AC; name*2=%41", 'text/csv; name="€%41"'],
    ["text/csv; name*=utf-8''a%0D%0Ab", 'text/csv; name="a\r\nb"'],
  ])('of %s are those of %j', (written, plain) => {
    expect(withPlainParameters(written)).toBe(plain);
  });

  it.each([
    'text/csv; name=a.csv',
    'text/csv; name="a*=b"',
    "text/csv; name=a; name*=utf-8''b",
    "text/csv; name*=utf-8''a; NAME*=utf-8''b",
    "text/csv; name*=utf-8''%FF",
    "text/csv; name*=utf-8''%G1",
    "text/csv; name*=nonsense''a",
    'text/csv; name*a=b',
    `text/csv; name*=utf-8''a; title="=?utf-8?Q?x?="`,
    `text/csv; name*=utf-8''${'a'.repeat(300)}`,
    7,
    null,
  ])('leaves %j as it is', (value) => {
    expect(withPlainParameters(value)).toBe(value);
  });

  it('yields a valid type only from texts of one line', () => {
    expect(isMediaType(withPlainParameters("text/csv; name*=utf-8''a%20b"))).toBe(true);
    for (const hostile of ['%0D%0AX-Evil: 1', '%00', '%E2%80%AE', '%3D%3Futf-8%3FQ%3Fx%3F%3D']) {
      expect(isMediaType(withPlainParameters(`text/csv; name*=utf-8''${hostile}`))).toBe(false);
    }
  });
});

describe('mediaTypeOf', () => {
  it.each([
    ['report.pdf', 'application/pdf'],
    ['REPORT.PDF', 'application/pdf'],
    ['a.b.csv', 'text/csv'],
    ['logo.png', 'image/png'],
    ['note.txt', 'text/plain'],
    ['mail.eml', 'application/octet-stream'],
    ['unheard.of', 'application/octet-stream'],
    ['x.__proto__', 'application/octet-stream'],
    ['', 'application/octet-stream'],
    [null, 'application/octet-stream'],
    [undefined, 'application/octet-stream'],
  ])('of %j is %s', (filename, mediaType) => {
    expect(mediaTypeOf(filename)).toBe(mediaType);
  });
});

describe('isFilename', () => {
  it.each([
    'a',
    'report 2026.pdf',
    '.profile',
    'Übersicht (1); "neu", 100%.pdf',
    '請求書.pdf',
    'x'.repeat(255),
    '🎉'.repeat(255),
  ])('takes %j', (value) => {
    expect(isFilename(value)).toBe(true);
  });

  it.each([
    '',
    ' ',
    ' a',
    'a ',
    '.',
    '..',
    '../a',
    'a/b',
    'a\\b',
    'C:\\a',
    'a\0.pdf',
    'a\r\nb',
    'a\tb',
    'a\x7f',
    'a\u202efdp.exe',
    'a\u2028b',
    'a\ud83d',
    '=?utf-8?q?a=2Fb?=',
    'x'.repeat(256),
    '🎉'.repeat(256),
    5,
    null,
  ])('refuses %j', (value) => {
    expect(isFilename(value)).toBe(false);
  });

  it('accepts only types that a built message carries unchanged, except doubled spaces', async () => {
    const name = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('a', '"', "'", '%', '=', '?', '*', ';', '.', 'ü') }),
    );
    await fc.assert(
      fc.asyncProperty(name, async (filename) => {
        if (!isFilename(filename) || /\s\s/.test(filename)) return;
        const message = new MailComposer({
          text: 'x',
          attachments: [{ filename, content: 'x', contentType: 'text/plain' }],
        });
        const email = await PostalMime.parse(await message.compile().build());
        expect(email.attachments.map((attachment) => attachment.filename)).toEqual([filename]);
      }),
      { numRuns: 500 },
    );
  });
});
