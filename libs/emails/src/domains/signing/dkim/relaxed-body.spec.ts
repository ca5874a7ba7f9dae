import { createHash, randomInt } from 'node:crypto';
import { RelaxedBody } from './relaxed-body.js';

/** RFC 6376 section 3.4.4, as it is written. */
function expected(body: string): string {
  const lines = body.replace(/[\t ]+(?=\r\n|$)/g, '').replace(/[\t ]+/g, ' ');
  const cut = lines.replace(/(?:\r\n)+$/, '');
  const whole = cut === '' ? '' : `${cut}\r\n`;
  return createHash('sha256').update(whole, 'latin1').digest('base64');
}

function hashOf(...pieces: string[]): string {
  const body = new RelaxedBody();
  for (const piece of pieces) body.update(Buffer.from(piece, 'latin1'));
  return body.digest();
}

/** The same text in pieces of random lengths. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = randomInt(1, 6);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

describe('RelaxedBody', () => {
  it('has the hash of an empty body that RFC 6376 section 3.4.4 gives', () => {
    for (const empty of ['', '\r\n', '\r\n\r\n', ' \t\r\n \r\n', ' '])
      expect(hashOf(empty)).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
  });

  it('has the hash of the example in RFC 6376 section 3.4.5', () => {
    expect(hashOf(' C \r\nD \t E\r\n\r\n\r\n')).toBe(createHash('sha256').update(' C\r\nD E\r\n').digest('base64'));
  });

  it.each([
    'a',
    'a\r\n',
    'a \r\n\r\nb\t\r\n',
    '\r\n\r\na',
    ' a',
    'a\rb\nc',
    'a\r',
    'a \r',
    'a\r\r\n',
    '\r\r\n\r\n',
    'a\n\n',
    'line\r\nline\r\n\r\n\r\nend\r\n\r\n',
  ])('hashes %j like the rule, in one piece and in several', (text) => {
    expect(hashOf(text)).toBe(expected(text));
    expect(hashOf(...text)).toBe(expected(text));
  });

  it('hashes any bytes like the rule, however they are cut', () => {
    const alphabets = [' \t\r\n', ' \r\nab', '\r\na', 'abc\r\n \t\xff\0'];
    for (let round = 0; round < 4_000; round++) {
      const letters = alphabets[round % alphabets.length] as string;
      let text = '';
      for (let n = randomInt(0, 30); n > 0; n--) text += letters[randomInt(letters.length)];
      const pieces = cut(text);
      expect({ text, pieces, hash: hashOf(...pieces) }).toEqual({ text, pieces, hash: expected(text) });
    }
  });

  it('holds back none of many empty lines', () => {
    const lines = '\r\n'.repeat(100_000);
    expect(hashOf('a', lines, lines)).toBe(expected('a'));
    expect(hashOf('a', lines, 'b')).toBe(expected(`a${lines}b`));
  });
});
