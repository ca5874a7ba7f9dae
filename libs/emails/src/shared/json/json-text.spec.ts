import fc from 'fast-check';
import { inTurns, SLICE } from '../work/slices.js';
import { textOfString } from './json-text.js';

/** A string with this content, followed by more. */
const asString = (json: string | Buffer) => Buffer.concat([Buffer.from('"'), Buffer.from(json), Buffer.from('":x"')]);
const read = async (json: string | Buffer) => (await inTurns(textOfString(asString(json), 1))).text;

describe('textOfString', () => {
  it('reads any text like JSON.parse, in any spelling', async () => {
    const escaped = (text: string) =>
      [...text].map((letter) =>
        [...Array(letter.length).keys()]
          .map((at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
      );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        fc.pre(text.isWellFormed());
        expect(await read(JSON.stringify(text).slice(1, -1))).toBe(text);
        expect(await read(escaped(text).join(''))).toBe(text);
        expect(await read(escaped(text).join('').toUpperCase().replaceAll('\\U', '\\u'))).toBe(text);
      }),
    );
  });

  it('reads all escapes', async () => {
    expect(await read('\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\ude00\ufeffx\\u0000')).toBe(
      '"\\/\b\f\n\r\té😀\ufeffx\0',
    );
  });

  it.each(['x', 'é', '漢', '📬', '\\n', '\\u00e9', '\\ud83d\\ude00', 'ab漢'])(
    'reads a long text of %s in slices',
    async (unit) => {
      const json = `a${unit.repeat((2.5 * SLICE) / Buffer.byteLength(unit))}`;
      const work = textOfString(asString(json), 1);
      let slices = 1;
      let step = work.next();
      for (; !step.done; step = work.next()) slices++;
      expect(step.value).toEqual({ text: JSON.parse(`"${json}"`), end: 1 + Buffer.byteLength(json) });
      expect(slices).toBe(3);
    },
  );

  it.each(['\\x', '\\u', '\\u12', '\\u12g4', 'a\nb', '\x1f', '\\ud83d\\uzzzz'])('refuses %j', async (json) => {
    await expect(read(json)).rejects.toThrow('not valid JSON');
  });

  it.each(['ff', 'c3', 'e6bc', 'eda080', 'c080', 'f4908080', '80'])('refuses the bytes %s', async (hex) => {
    await expect(read(Buffer.from(`61${hex}`, 'hex'))).rejects.toThrow('not valid UTF-8');
    await expect(read(Buffer.from(`${hex}61`, 'hex'))).rejects.toThrow('not valid UTF-8');
    const behind = Buffer.concat([Buffer.alloc(SLICE - 1, 'a'), Buffer.from(hex, 'hex'), Buffer.from('a')]);
    await expect(read(behind)).rejects.toThrow('not valid UTF-8');
  });

  it.each(['\\ud83d', '\\ude00', '\\ud83d\\ud83d', '\\ude00\\ud83d', '\\ud83dx', '\\ud83d\\n'])(
    'marks half of a surrogate pair for a later check: %s',
    async (json) => {
      expect((await read(`a${json}`)).isWellFormed()).toBe(false);
    },
  );

  it.each(['', 'abc', '\\', '\\"', '\\u'])('refuses %j, which does not end', async (json) => {
    await expect(inTurns(textOfString(Buffer.from(json), 0))).rejects.toThrow('not valid JSON');
  });
});
