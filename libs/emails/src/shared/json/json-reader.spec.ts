import { jest } from '@jest/globals';
import fc from 'fast-check';
import { Base64Text } from '../bytes/base64-text.js';
import { bytesOfJson } from '../bytes/bytes-of-json.js';
import { GrowingBytes } from '../bytes/growing-bytes.js';
import type { ApiError } from '../errors/api-error.js';
import { SLICE } from '../work/slices.js';
import { turnsOf } from '../work/turns.spec-tools.js';
import { JsonReader, readJson } from './json-reader.js';
import { JsonScanner } from './json-scanner.js';

const read = (text: string) => readJson(Buffer.from(text));
const body = (content: unknown, more: object = {}) => JSON.stringify({ attachments: [{ content, ...more }] });
/** The contents of the attachments in the form of the acceptance. */
const contents = (json: object) =>
  (json as { attachments: { content: unknown }[] }).attachments.map(({ content }) => content);

describe('readJson', () => {
  it.each(['{}', '{"a":[1,"x",null,true,{"b":"\\u00e9\\"\\\\"}]}', '[{"id":"1"}]', ' {"a" : {"content" : "x"}} '])(
    'reads %s as JSON.parse does',
    async (text) => {
      expect(await read(text)).toEqual(JSON.parse(text));
    },
  );

  it('reads an empty body as an empty object', async () => {
    expect(await read('')).toEqual({});
  });

  it('reads any JSON as JSON.parse does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ depthSize: 'medium', maxDepth: 5 }), async (text) => {
        const value = JSON.parse(text);
        fc.pre(typeof value === 'object' && value !== null && !text.includes('\\u0000') && !text.includes('__proto__'));
        fc.pre(!/\\ud[89a-f]/i.test(text));
        expect(await read(text)).toEqual(value);
      }),
    );
  });

  it.each([
    ['long base64', (bytes: Buffer) => bytes.toString('base64')],
    ['base64 with escaped slashes', (bytes: Buffer) => bytes.toString('base64')],
    ['base64 in lines', (bytes: Buffer) => bytes.toString('base64').replace(/.{76}/g, '$&\r\n')],
    ['an array', (bytes: Buffer) => [...bytes]],
    ['a serialised Buffer', (bytes: Buffer) => bytes],
  ])('decodes %s, and leaves the rest unchanged', async (kind, spell) => {
    const files = [Buffer.from([...Array(600_000).keys()].map((at) => at % 251)), Buffer.alloc(3_001, 0xff)];
    const given = {
      subject: 'ä"',
      attachments: files.map((file) => ({ content: spell(file), filename: 'a' })),
      tags: [],
    };
    let text = JSON.stringify(given, null, 1);
    if (kind.includes('slashes')) text = text.replaceAll('/', '\\/');
    const result = await read(text);
    expect(await Promise.all(contents(result).map(bytesOfJson))).toEqual(files);
    expect(contents(result).some((content) => typeof content === 'string' || Array.isArray(content))).toBe(false);
    const labels = { filename: 'a', content: expect.anything() };
    expect(result).toEqual({ subject: 'ä"', attachments: [labels, labels], tags: [] });
  });

  it('needs no more memory for 30 MB than they have', async () => {
    const json = Buffer.from(body('QUJD'.repeat(7_500_000)));
    const [content] = contents(await readJson(json));
    expect(content).toBeInstanceOf(Base64Text);
    expect((await bytesOfJson(content))?.buffer).toBe(json.buffer);
  });

  it('decodes once, and returns the same bytes again', async () => {
    const [content] = contents(await read(body('QUJD'.repeat(1_000))));
    const first = await bytesOfJson(content);
    expect(first?.length).toBe(3_000);
    expect(await bytesOfJson(content)).toBe(first);
  });

  it.each([
    ['base64 with a wrong character', 'A'.repeat(4_000).replace('AAAA', 'AA$A')],
    ['base64url', 'A-_A'.repeat(1_000)],
    ['text that is not ASCII', 'ä'.repeat(2_000)],
    ['an array with 256', [1, 256]],
    ['an array with -1', [-1]],
    ['an array with a half', [0.5]],
    ['an array with a text', ['1']],
    ['an array in an array', [[1]]],
    ['a Buffer with more', { type: 'Buffer', data: [1, 2], length: 2 }],
    ['a Buffer of base64', { type: 'Buffer', data: 'A'.repeat(2_000) }],
  ])('does not treat %s as a file', async (_, content) => {
    expect(await Promise.all(contents(await read(body(content))).map(bytesOfJson))).toEqual([undefined]);
  });

  it.each([
    ['a variable of a template', { template: { variables: { content: 'A'.repeat(1_500) } } }],
    ['a field of the body', { content: 'A'.repeat(1_500) }],
    ['a list', { attachments: [['A'.repeat(1_500)]] }],
    ['an empty array', { attachments: [{ content: [] }] }],
  ])('leaves %s unchanged', async (_, value) => {
    expect(await read(JSON.stringify(value))).toEqual(value);
  });

  it.each([
    ['a line break in base64', body('A'.repeat(2_000)).replace('AAAA', 'AA\nA')],
    ['a leading zero', '{"attachments":[{"content":[01]}]}'],
    ['a comma at the end', '{"attachments":[{"content":[1,]}]}'],
    ['a bracket that is not closed', '{"attachments":[{"content":[1,2]'],
    ['a text that is not closed', `{"attachments":[{"content":"${'A'.repeat(2_000)}`],
    ['an unknown escape', body('A'.repeat(2_000)).replace('AAAA', '\\x41')],
    ['two values', '{} {}'],
    ['brackets that do not match', '{]'],
    ['nothing but a bracket', ']'],
  ])('refuses %s', async (_, text) => {
    await expect(read(text)).rejects.toThrow('not valid JSON');
  });

  describe('of a body in pieces', () => {
    /** The value, or the refusal; files as their bytes. */
    async function outcomeOf(reading: () => Promise<object>): Promise<unknown> {
      try {
        const json = await reading();
        const { attachments } = json as { attachments?: { content: unknown }[] };
        for (const attachment of attachments ?? []) attachment.content = await bytesOfJson(attachment.content);
        return json;
      } catch (error) {
        return (error as ApiError).message;
      }
    }

    async function readInPieces(text: Buffer, sizes: readonly number[], limit = text.length): Promise<JsonReader> {
      const reader = new JsonReader(new GrowingBytes(limit));
      for (let at = 0, turn = 0; at < text.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        await reader.add(text.subarray(at, at + size));
        at += size;
      }
      return reader;
    }

    const number = fc.oneof(
      { weight: 40, arbitrary: fc.nat(255).map(String) },
      fc.constantFrom('256', '-1', '1.5', '1e1', '01', '"1"', '[1]', '{"a":[1]}', 'null', '1 1', ''),
    );
    const separator = fc.constantFrom(',', ', ', ',\n  ', ' ,');
    const array = fc
      .tuple(fc.array(number, { maxLength: 12 }), separator)
      .map(([numbers, between]) => `[${numbers.join(between)}]`);
    const string = fc.oneof(
      fc
        .string({ unit: fc.constantFrom('\\', '"', '[', '1', ',', ']', 'a', 'é', '\n', '/') })
        .map((text) => JSON.stringify(text)),
      fc.constantFrom('"QUJD"', `"${'QUJD'.repeat(300)}"`, `"${'QU\\/D'.repeat(300)}"`, '"\\', '"\\ud800"'),
    );
    const content = fc.oneof(
      { weight: 5, arbitrary: array },
      string,
      array.map((data) => `{"type":"Buffer","data":${data}}`),
    );
    const json = fc
      .record({
        contents: fc.array(content, { maxLength: 4 }),
        other: fc.oneof(array, string),
        key: fc.constantFrom('content', 'cont\\u0065nt'),
        space: fc.constantFrom('', ' ', '\n'),
        cut: fc.option(fc.integer({ min: 1, max: 2_000 }), { freq: 10 }),
      })
      .map(({ contents, other, key, space, cut }) => {
        const attachments = contents.map((value) => `{"filename":${space}"a","${key}"${space}:${space}${value}}`);
        const text = `{"content":${other},"template":{"variables":{"content":${other}}},"attachments":[${attachments}]}`;
        return Buffer.from(text.slice(0, cut ?? text.length));
      });
    const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 });

    it('equals a body at once, and the result of JSON.parse', async () => {
      await fc.assert(
        fc.asyncProperty(json, sizes, async (text, pieces) => {
          const outcome = await outcomeOf(async () => (await readInPieces(text, pieces)).end());
          expect(outcome).toEqual(await outcomeOf(() => readJson(Buffer.from(text))));
          const parsed = await outcomeOf(async () => JSON.parse(text.toString()));
          if (typeof parsed === 'string') expect(outcome).toContain('not valid JSON');
          else if (typeof outcome === 'string') expect(outcome).toContain('surrogate');
          else expect(outcome).toEqual(parsed);
        }),
        { numRuns: 500 },
      );
    });

    const file = Buffer.from([...Array(60_000).keys()].map((at) => at % 251));
    const spelt = (more = '') =>
      `{"subject":"a","attachments":[{"content":[${[...file].join(', ')}${more}],"filename":"f"}]}`;

    it('keeps only the bytes of a file in numbers', async () => {
      const reader = await readInPieces(Buffer.from(spelt()), [7_001], 200_000);
      expect(reader.size).toBeLessThan(file.length + 200);
      const [content] = contents(await reader.end());
      expect(file.equals(content as Buffer)).toBe(true);
    });

    it('has all files of a body, and the text between them', async () => {
      const others = [file.subarray(1), file.subarray(0, 100)].map((other) => `{"content":[${other.join()}]}`);
      const base64 = `{"content":"${file.toString('base64')}","filename":"é"}`;
      const text = `{"attachments":[${others[0]},${base64},${others[1]},${spelt().slice(30, -2)}],"html":"[1, 2]"}`;
      const json = await (await readInPieces(Buffer.from(text), [1, 5_000, 3])).end();
      const files = await Promise.all(contents(json).map(bytesOfJson));
      expect(files).toEqual([file.subarray(1), file, file.subarray(0, 100), file]);
      expect(json).toMatchObject({ attachments: [{}, { filename: 'é' }, {}, { filename: 'f' }], html: '[1, 2]' });
    });

    it.each([
      ['numbers that are not bytes', spelt(', 256')],
      ['many numbers without an end', spelt().slice(0, 200_000)],
      ['numbers outside of a file', `{"tags":[${[...file].join(', ')}]}`],
    ])('refuses %s', async (_, text) => {
      const read = async () => (await readInPieces(Buffer.from(text), [10_000])).end();
      await expect(read()).rejects.toMatchObject({ statusCode: 400, message: expect.stringContaining('20000 values') });
    });

    it('is refused before the rest arrives', async () => {
      const reader = new JsonReader(new GrowingBytes(1_000_000));
      expect(() => reader.add(Buffer.from(`{"to":[${'1,'.repeat(20_001)}`))).toThrow('more than 20000 values');
      expect(() => new JsonReader(new GrowingBytes(1_000_000)).add(Buffer.from('['.repeat(33)))).toThrow(
        'deeper than 32',
      );
    });

    it('has one slice of it in each turn of the event loop', async () => {
      let turns = 0;
      const count = () => {
        turns++;
        next = setImmediate(count);
      };
      let next = setImmediate(count);
      const piece = Buffer.from('12, '.repeat(16_384));
      const reader = new JsonReader(new GrowingBytes(10_000_000));
      await reader.add(Buffer.from('{"attachments":[{"content":['));
      for (let count = 0; count < 200; count++) await reader.add(piece);
      clearImmediate(next);
      expect(turns).toBeGreaterThanOrEqual(Math.floor((200 * piece.length) / SLICE) - 1);
    });
  });

  describe('of a large body', () => {
    const long = '<p class="a">é漢📬\n</p>'.repeat(20_000);

    it('reads long texts like JSON.parse, at any position', async () => {
      const value = { html: long, text: 'x'.repeat(2_000), more: [{ a: long }, long, ''], last: { b: [[long]] } };
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)])
        expect(await read(text)).toEqual(value);
    });

    it('reads any JSON as JSON.parse does', async () => {
      const filler = ' '.repeat(1_000_001);
      const texts = fc.constantFrom('x'.repeat(1_023), 'x'.repeat(1_024), 'é\n"'.repeat(600), '', '\\'.repeat(700));
      const { tree } = fc.letrec((tie) => ({
        tree: fc.oneof(
          { depthSize: 'small' },
          texts,
          fc.array(tie('tree'), { maxLength: 4 }),
          fc.dictionary(fc.constantFrom('a', 'content', 'b'), tie('tree')),
        ),
      }));
      await fc.assert(
        fc.asyncProperty(fc.array(tree), async (value) => {
          expect(await read(JSON.stringify(value) + filler)).toEqual(value);
        }),
        { numRuns: 20 },
      );
    });

    it('has one slice of it in each turn of the event loop', async () => {
      let turns = 0;
      const count = () => {
        turns++;
        next = setImmediate(count);
      };
      let next = setImmediate(count);
      await read(JSON.stringify({ html: 'x"'.repeat(5_000_000) }));
      clearImmediate(next);
      expect(turns).toBeGreaterThanOrEqual(Math.floor(15_000_000 / SLICE));
    });

    it.each([
      ['that is not JSON', long.replace('\n', '\x01'), 'not valid JSON'],
      ['that has half of a surrogate pair', `${JSON.stringify(long).slice(1, -1)}\\ud83d`, '`more.html`'],
      ['that has NUL', `${JSON.stringify(long).slice(1, -1)}\\u0000`, '`more.html`'],
      ['with no end', `${JSON.stringify(long).slice(1, -1)}\\`, 'not valid JSON'],
    ])('refuses a long text %s', async (_, text, message) => {
      await expect(read(`{"a":"${'b'.repeat(1_000_000)}","more":{"html":"${text}"}}`)).rejects.toThrow(message);
    });

    it('refuses a long text that is not UTF-8', async () => {
      const bytes = Buffer.from(JSON.stringify({ html: 'x'.repeat(2_000_000) }));
      bytes[1_500_000] = 0xff;
      await expect(readJson(bytes)).rejects.toThrow('not valid UTF-8');
    });

    it.each([
      ['short texts', JSON.stringify(Array.from({ length: 19_000 }, (_, at) => `${at}${'é'.repeat(500)}`))],
      ['white space', `[1${' \n'.repeat(5_000_000)}]`],
    ])('is parsed in slices if it consists of %s', async (_, text) => {
      const bytes = Buffer.from(text);
      const { all, longest } = await turnsOf(() => readJson(bytes));
      expect(longest).toBeLessThan(all / 4);
    });

    it.each([
      [
        'short texts, keys and numbers',
        { a: ['\ud83d\ude00"\\\n', -1.5e-7, true, false, null], '': {}, 10: [[], {}], 9: 1 },
      ],
      ['a key twice', undefined],
    ])('reads %s as JSON.parse does', async (_, value) => {
      const text = value ? JSON.stringify(value, null, '\t') : '{"a":1,"b":2,"a":3}';
      const json = `\ufeff${text}${' '.repeat(1_000_000)}`;
      expect(JSON.stringify(await read(json))).toBe(JSON.stringify(JSON.parse(text)));
    });

    it.each([
      '{"a":1,}',
      '{"a" 1}',
      '{a:1}',
      '[1,]',
      '[1 2]',
      '[01]',
      '[tru]',
      '["\\x"]',
      '["\n"]',
      '{} x',
      '',
      '[',
      '{"a":',
    ])('refuses %j', async (text) => {
      await expect(read(' '.repeat(1_000_000) + text)).rejects.toThrow('not valid JSON');
    });

    it('refuses a short text that is not UTF-8', async () => {
      const bytes = Buffer.from(`["\xff"${' '.repeat(1_000_000)}]`, 'latin1');
      await expect(readJson(bytes)).rejects.toThrow('not valid UTF-8');
    });

    it('refuses __proto__ as a key', async () => {
      const text = `{"a":{"__proto__":1,"__proto__":2}${' '.repeat(1_000_000)}}`;
      await expect(read(text)).rejects.toThrow('not a field');
    });

    it('refuses a long number', async () => {
      await expect(read(`{"a":${'1'.repeat(2_000_000)}}`)).rejects.toThrow('a number of more than 1024 bytes');
      expect(await read(`[${'1'.repeat(1_024)}${' '.repeat(1_000_000)}]`)).toEqual([Number('1'.repeat(1_024))]);
    });

    it('refuses a long key', async () => {
      await expect(read(`{"${'a'.repeat(2_000_000)}" :1}`)).rejects.toThrow('a key of more than');
    });
  });

  it.each(['7', '"a"', 'null', 'true'])('refuses %s, which is not an object', async (text) => {
    await expect(read(text)).rejects.toThrow('must be a JSON object');
  });

  it.each([
    ['in a text', Buffer.from('{"a":"\xff"}', 'latin1')],
    ['in base64', Buffer.from(body('A'.repeat(2_000)).replace('AAAA', 'AA\xffA'), 'latin1')],
  ])('refuses invalid UTF-8 %s', async (_, bytes) => {
    await expect(readJson(bytes)).rejects.toThrow('not valid UTF-8');
  });

  it('refuses too deep nesting and too many values before parsing', async () => {
    const parse = jest.spyOn(JSON, 'parse');
    await expect(read('['.repeat(20_000_000))).rejects.toThrow('deeper than 32');
    await expect(read(`{"attachments":[${'{},'.repeat(10_000_000)}{}]}`)).rejects.toThrow('more than 20000 values');
    await expect(read(`{"attachments":[${'1,'.repeat(10_000_000)}1]}`)).rejects.toThrow('more than 20000 values');
    await expect(read(`{"attachments":[{"content":[${'1,'.repeat(10_000_000)}256]}]}`)).rejects.toThrow(
      'more than 20000',
    );
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    await expect(read(`{"a":"${'\\"'.repeat(10_000_000)}"`)).rejects.toThrow('not valid JSON');
  });

  it('reads only the start of a refused body, and each byte of others once', () => {
    const slices = (text: string) => {
      let count = 1;
      try {
        for (const _ of new JsonScanner(GrowingBytes.of(Buffer.from(text))).scan()) count++;
      } catch {}
      return count;
    };
    expect(slices('['.repeat(20_000_000))).toBe(1);
    expect(slices(`{"attachments":[${'{},'.repeat(10_000_000)}{}]}`)).toBe(1);
    expect(slices(`{"attachments":[${'1,'.repeat(10_000_000)}1]}`)).toBe(1);
    const quotes = `{"a":"${'\\"'.repeat(10_000_000)}"`;
    expect(slices(quotes)).toBeLessThanOrEqual(Math.ceil(quotes.length / SLICE) + 1);
  });
});
