import { jest } from '@jest/globals';
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import { growth, LINEAR } from '../../../shared/work/growth.spec-tools.js';
import { isContentId, isFilename, isMediaType, mediaTypeOf } from './media-type.js';

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
    'text/plain; boundary=x',
    'text/html; format=flowed',
    'text/plain; charset=utf-8, text/html',
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

  const hostilePieces = [' ; name=', '; name="', '\\"', ' ', ';', 'a/', '=?'];

  it('takes time in proportion to the longest hostile values that it reads', () => {
    const read = (length: number) => {
      // So often that it is felt.
      for (let time = 0; time < 300; time++) {
        for (const piece of hostilePieces) isMediaType(`a/b${piece.repeat(length / piece.length)}`);
      }
    };
    expect(growth(read, 15)).toBeLessThan(LINEAR);
  });

  it.each(hostilePieces)('does not read longer ones, such as many %j', (piece) => {
    const exec = jest.spyOn(RegExp.prototype, 'exec');
    const test = jest.spyOn(RegExp.prototype, 'test');
    const value = isMediaType(`a/b${piece.repeat(1_000_000)}`);
    const reads = exec.mock.calls.length + test.mock.calls.length;
    jest.restoreAllMocks();
    expect({ value, reads }).toEqual({ value: false, reads: 0 });
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

  it('takes only what a built message carries unchanged, but for doubled spaces', async () => {
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

describe('isContentId', () => {
  it.each(['logo', 'logo.png@example.com', 'a_b+c-1', 'x'.repeat(128)])('takes %s', (value) => {
    expect(isContentId(value)).toBe(true);
  });

  it.each(['', '<logo>', 'a b', 'a"b', 'a\r\nb', 'ü', 'x'.repeat(129), 5, null])('refuses %j', (value) => {
    expect(isContentId(value)).toBe(false);
  });
});
