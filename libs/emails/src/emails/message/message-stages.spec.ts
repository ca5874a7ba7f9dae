import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import type { BuiltMessage } from '../ports/email-transport.js';
import type { MessageStage, StagedMessage, StageResult } from '../ports/message-stage.js';
import type { MessageContent } from './message-builder.js';
import { MessageStages } from './message-stages.js';

const RAW = 'Subject: Hello\r\n\r\nHi\r\n';
const built = (some: Partial<BuiltMessage> = {}): BuiltMessage => ({
  from: 'a@from.test',
  recipients: ['b@to.test'],
  needsSmtpUtf8: false,
  raw: Buffer.from(RAW),
  ...some,
});
const opened = (text: string) => () => Readable.from([Buffer.from(text)], { objectMode: false });
const textOf = async (raw: BuiltMessage['raw'] | undefined) =>
  Buffer.isBuffer(raw) ? String(raw) : raw && String(await buffer(raw()));

/** Runs the stages over one message. */
async function apply(stages: readonly MessageStage[], message = built()) {
  const builder = { build: async () => message };
  const transport = { name: 'mx.test:25', kind: 'smtp' };
  const recipients = ['x@to.test', 'b@to.test'].map((address) => ({ address, status: 'pending' }));
  const email = { id: 'email', accountId: 'one', recipients } as MessageContent;
  return new MessageStages(stages).around(builder, transport).build(email, message.recipients, new Set());
}

/** A stage with this result, which records its questions. */
function stage(result?: unknown, isSignature?: boolean) {
  const asked: StagedMessage[] = [];
  const apply = (message: StagedMessage) => {
    asked.push(message);
    return result as StageResult;
  };
  return { asked, apply, ...(isSignature !== undefined && { isSignature }) };
}

const header = (name: string, value = 'x'): StageResult => ({ headers: [[name, value]] });

describe('MessageStages', () => {
  it('return the builder itself where there is no stage', () => {
    const builder = { build: async () => built() };
    expect(new MessageStages().around(builder, { name: 'hop', kind: 'smtp' })).toBe(builder);
  });

  it('put headers in front in their order, each above the earlier ones, the signature on top', async () => {
    const first = stage({
      headers: [
        ['X-A', '1'],
        ['X-B', '2'],
      ],
    });
    const signature = stage(header('DKIM-Signature', 'v=1;\r\n\tb=abc'), true);
    const last = stage(header('X-C', '3'));
    const message = await apply([signature, first, last]);
    const signed = `X-C: 3\r\nX-A: 1\r\nX-B: 2\r\n${RAW}`;
    expect(await textOf(message.raw)).toBe(`DKIM-Signature: v=1;\r\n\tb=abc\r\n${signed}`);
    expect(await textOf(first.asked[0]?.raw)).toBe(RAW);
    expect(await textOf(signature.asked[0]?.raw)).toBe(signed);
    expect(signature.asked).toHaveLength(1);
    expect(first.asked[0]).toMatchObject({
      accountId: 'one',
      emailId: 'email',
      fromDomain: 'from.test',
      transport: { name: 'mx.test:25', kind: 'smtp' },
      recipients: ['x@to.test', 'b@to.test'],
      envelope: { from: 'a@from.test', recipients: ['b@to.test'] },
    });
  });

  it('give another envelope sender to the transport and to the stages behind', async () => {
    const behind = stage(undefined, true);
    const message = await apply([stage({ envelopeFrom: 'bounce+1@BÜCHER.test' }), behind]);
    expect(message.from).toBe('bounce+1@xn--bcher-kva.test');
    expect(behind.asked[0]).toMatchObject({ envelope: { from: message.from }, fromDomain: 'from.test' });
    expect((await apply([stage({ envelopeFrom: '' })])).from).toBe('');
    expect(await apply([stage({ envelopeFrom: 'jörg@from.test' })])).toMatchObject({ needsSmtpUtf8: true });
  });

  it('request reports from the transport, the last one that does', async () => {
    const [first, last] = [{ ret: 'full' }, { ret: 'headers', notify: ['failure'] }] as const;
    expect((await apply([stage({ dsn: first }), stage({ dsn: last }), stage()])).dsn).toEqual(last);
    expect(await apply([stage()])).not.toHaveProperty('dsn');
  });

  it('read the bytes of the wire unchanged, those of a large message each time it is opened', async () => {
    const large = built({ raw: opened('Subject: x\n\nlines\nof text'), size: 24 });
    const one = stage(header('X-A'));
    const message = await apply([one], large);
    const whole = 'Subject: x\r\n\r\nlines\r\nof text\r\n';
    for (const raw of [one.asked[0]?.raw, one.asked[0]?.raw]) expect(await textOf(raw)).toBe(whole);
    for (let time = 0; time < 2; time++) expect(await textOf(message.raw)).toBe(`X-A: x\r\n${whole}`);
    expect(message.size).toBe(24 + 'X-A: x\r\n'.length);
    expect(await textOf((await apply([stage()], built({ raw: Buffer.from('A: b\n\nc') }))).raw)).toBe(
      'A: b\r\n\r\nc\r\n',
    );
  });

  it('are asked about each form of a message that has two', async () => {
    const sizes: MessageStage = {
      apply: async ({ raw }) => header('X-Bytes', String((await textOf(raw))?.length)),
    };
    const message = await apply(
      [sizes],
      built({ raw: opened('a: b\r\n\r\n12345\r\n'), raw7Bit: opened('a: b\r\n\r\n1\r\n') }),
    );
    expect(await textOf(message.raw)).toBe('X-Bytes: 15\r\na: b\r\n\r\n12345\r\n');
    expect(await textOf(message.raw7Bit)).toBe('X-Bytes: 11\r\na: b\r\n\r\n1\r\n');
    expect(await apply([sizes])).not.toHaveProperty('raw7Bit');
  });

  it('fail the reader of a large message that cannot be read completely', async () => {
    const broken = () =>
      Readable.from(
        (function* () {
          yield Buffer.from('a: b\r\n');
          throw new Error('broken');
        })(),
        { objectMode: false },
      );
    const message = await apply([stage(header('X-A'))], built({ raw: broken }));
    await expect(textOf(message.raw)).rejects.toThrow('broken');
  });

  it.each<[string, unknown]>([
    ['no object', 'X-A: 1'],
    ['null', null],
    ['a list', [['X-A', '1']]],
    ['a misspelt key', { header: [['X-A', '1']] }],
    ['an additional key', { ...header('X-A'), to: 'x@to.test' }],
    ['headers that are not a list', { headers: { 'X-A': '1' } }],
    ['a header that is not a pair', { headers: ['X-A: 1'] }],
    ['a name with a colon', header('X:A')],
    ['an empty name', header('')],
    ['a value that ends its field', header('X-A', '1\r\nBcc: x@to.test')],
    ['a value that ends the headers', header('X-A', '1\r\n\r\nbody')],
    ['a value with a blank line', header('X-A', '1\r\n \r\n 2')],
    ['a value with a lone LF', header('X-A', '1\n 2')],
    ['a value beyond ASCII', header('X-A', 'ü')],
    ['a line that is too long', header('X-A', 'x'.repeat(994))],
    ['reports that are not an object', { dsn: 'full' }],
    ['another rule about TLS', { tls: true }],
    ['a sender that is not a text', { envelopeFrom: 7 }],
    ['a sender that is not an address', { envelopeFrom: 'nobody' }],
    ['a sender that ends its command', { envelopeFrom: 'a@from.test>\r\nRCPT TO:<b@to.test' }],
  ])('refuse %s', async (_, result) => {
    await expect(apply([stage(result)])).rejects.toThrow();
  });

  it('get a copy of a small message', async () => {
    const writing: MessageStage = { apply: ({ raw }) => void (raw as Buffer).fill(0x20) };
    const behind = stage();
    expect(await textOf((await apply([writing, behind])).raw)).toBe(RAW);
    expect(await textOf(behind.asked[0]?.raw)).toBe(RAW);
  });

  it('have three seconds each', async () => {
    jest.useFakeTimers();
    const refused = expect(apply([{ apply: () => new Promise(() => {}) }])).rejects.toMatchObject({
      name: 'StageTooSlow',
    });
    await jest.advanceTimersByTimeAsync(3_000);
    await refused;
    jest.useRealTimers();
  });

  it('may read a large message for longer', async () => {
    jest.useFakeTimers();
    const slow = () =>
      Readable.from(
        (async function* () {
          for (let piece = 0; piece < 4; piece++) {
            await new Promise((resolve) => setTimeout(resolve, 2_000));
            yield Buffer.from('X-A: b\r\n');
          }
        })(),
        { objectMode: false },
      );
    const reads: MessageStage = { apply: async ({ raw }) => header('X-Bytes', String((await textOf(raw))?.length)) };
    const applied = apply([reads], built({ raw: slow }));
    await jest.advanceTimersByTimeAsync(9_000);
    const message = await applied;
    expect(message.raw).toBeInstanceOf(Function);
    jest.useRealTimers();
  });

  it('enforce TLS', async () => {
    expect(await apply([stage({ tls: 'enforced' }), stage()])).toMatchObject({ requireTls: 'enforced' });
    expect(await apply([stage()])).not.toHaveProperty('requireTls');
  });

  it('fail with the error of a stage', async () => {
    const failing = { apply: () => Promise.reject(new TypeError('no key')) };
    await expect(apply([failing])).rejects.toThrow('no key');
  });
});
