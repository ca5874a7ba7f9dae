import fc from 'fast-check';
import { SLICE } from '../work/slices.js';
import { decodeBase64InPlace } from './base64.js';
import { bytesOfJson } from './bytes-of-json.js';

describe('bytesOfJson', () => {
  it.each([
    ['', ''],
    ['aGVsbG8=', 'hello'],
    ['aGVsbG8', 'hello'],
    ['aGVsbA==', 'hell'],
    ['aGVsbA', 'hell'],
    ['aGVs', 'hel'],
    ['aGVs\r\nbG8=\r\n', 'hello'],
    ['\naGV\nsbG8\n=', 'hello'],
    ['aGVsbA=\r\n=', 'hell'],
    [[104, 105], 'hi'],
    [[], ''],
    [{ type: 'Buffer', data: [104, 105] }, 'hi'],
  ])('decodes %j', async (content, text) => {
    expect((await bytesOfJson(content))?.toString()).toBe(text);
  });

  it.each([
    ['a url-safe symbol', 'a-b_'],
    ['a space', 'aGVs bG8='],
    ['a tab', 'aGVs\tbG8='],
    ['NUL', 'aGVs\0bG8'],
    ['a character whose low byte is a symbol', 'aGV\u0141'],
    ['an umlaut', 'aGVü'],
    ['a data URL', 'data:text/plain;base64,aGVsbG8='],
    ['one symbol', 'a'],
    ['five symbols', 'aGVsb'],
    ['too little padding', 'aGVsbA='],
    ['too much padding', 'aGVsbG8=='],
    ['padding after a full group', 'aGVs='],
    ['three of padding', 'a==='],
    ['only padding', '=='],
    ['padding in the middle', 'aGVsbG8=aGVs'],
    ['a number', 1],
    ['nothing', null],
    ['true', true],
    ['an object', {}],
    ['a byte over 255', [256]],
    ['a negative byte', [-1]],
    ['half a byte', [0.5]],
    ['a byte as a text', ['1']],
    ['an array in an array', [[1]]],
    ['another type of object', { type: 'File', data: [1] }],
    ['a Buffer without data', { type: 'Buffer' }],
    ['a Buffer with text', { type: 'Buffer', data: 'aGVsbG8=' }],
    ['a Buffer with more', { type: 'Buffer', data: [1], length: 2 }],
  ])('refuses %s', async (_what, content) => {
    expect(await bytesOfJson(content)).toBeUndefined();
  });

  it('returns any bytes from any of the forms', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (array) => {
        const bytes = Buffer.from(array);
        const base64 = bytes.toString('base64');
        const forms = [
          base64,
          base64.replace(/=+$/, ''),
          base64.replace(/.{1,76}/g, '$&\r\n'),
          [...bytes],
          JSON.parse(JSON.stringify(bytes)),
        ];
        for (const form of forms) expect((await bytesOfJson(form))?.equals(bytes)).toBe(true);
      }),
    );
  });

  it('decodes exactly the texts that a strict parser accepts', async () => {
    const text = fc.string({ unit: fc.constantFrom('A', 'b', '/', '=', '=', '\n', '-', ' ', 'é'), maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const strict = /^(?:[Ab/]{4})*(?:[Ab/]{2}(?:==)?|[Ab/]{3}=?)?$/.test(content.replaceAll('\n', ''));
        expect((await bytesOfJson(content)) !== undefined).toBe(strict);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([1, 57, 61, 76])('returns a megabyte in lines of %i', async (length) => {
    const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => (at * 7) % 253));
    const lines = bytes.toString('base64').replace(new RegExp(`.{${length}}`, 'g'), '$&\n');
    expect((await bytesOfJson(lines))?.equals(bytes)).toBe(true);
    expect(await bytesOfJson(lines.replace(/.{9}$/s, '-$&'))).toBeUndefined();
  });

  it('decodes 40 MB quickly, valid or not', async () => {
    const base64 = 'QUJD'.repeat(13_000_000);
    const lines = `${'QUJD'.repeat(19)}\r\n`.repeat(650_000);
    expect((await bytesOfJson(base64))?.length).toBe(39_000_000);
    expect((await bytesOfJson(lines))?.length).toBe(37_050_000);
    expect(await bytesOfJson(`${base64}!`)).toBeUndefined();
    expect(await bytesOfJson('='.repeat(40_000_000))).toBeUndefined();
    expect((await bytesOfJson('\n'.repeat(40_000_000)))?.length).toBe(0);
    expect((await bytesOfJson(new Array(10_000_000).fill(7)))?.length).toBe(10_000_000);
  });

  it.each([
    ['base64', 'QUJD'.repeat(13_000_000), 52_000_000],
    ['base64 in lines', `${'QUJD'.repeat(19)}\r\n`.repeat(650_000), 50_700_000],
    ['base64 with a wrong end', `${'QUJD'.repeat(13_000_000)}!`, 52_000_000],
    ['line breaks', '\n'.repeat(40_000_000), 40_000_000],
    ['padding that is invalid by two characters', '='.repeat(40_000_000), 0],
  ])('reads %s once, a slice at a time', (_, text, read) => {
    let slices = 1;
    for (const _slice of decodeBase64InPlace(Buffer.from(text))) slices++;
    // A slice ends with whole groups, so it can be a few bytes longer.
    expect(slices).toBeGreaterThan((read / SLICE) * 0.99);
    expect(slices).toBeLessThanOrEqual(Math.ceil(read / SLICE) + 1);
  });
});
