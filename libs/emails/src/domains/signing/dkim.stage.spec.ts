import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { dkimVerify } from 'mailauth';
import { MessageStages } from '../../emails/message/message-stages.js';
import type { BuiltMessage } from '../../emails/ports/email-transport.js';
import type { StagedMessage } from '../../index.js';
import { SLICE } from '../../shared/work/slices.js';
import type { SendingOptions } from '../sending.options.js';
import { DkimStage } from './dkim.stage.js';
import type { SigningKey } from './signing-keys.js';

const DOMAIN = 'shop.test';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const KEYS: SigningKey[] = [
  { selector: 's2611r', algorithm: 'rsa', key: rsa.privateKey },
  { selector: 's2611e', algorithm: 'ed25519', key: ed25519.privateKey },
];

/** The records of the keys (RFC 6376 section 3.6.1, RFC 8463 section 4). */
const RECORDS: Record<string, string> = {
  [`s2611r._domainkey.${DOMAIN}`]: `v=DKIM1; k=rsa; p=${publicText(rsa.publicKey)}`,
  [`s2611e._domainkey.${DOMAIN}`]: `v=DKIM1; k=ed25519; p=${publicText(ed25519.publicKey, 12)}`,
};

/** @param from first byte: an Ed25519 key is published without the structure around it */
function publicText(key: KeyObject, from = 0): string {
  return key.export({ type: 'spki', format: 'der' }).subarray(from).toString('base64');
}

const resolver = async (name: string) => {
  const record = RECORDS[name];
  if (record === undefined) throw Object.assign(new Error('There is no key.'), { code: 'ENOTFOUND' });
  return [[record]];
};

/** The results of the signatures of a message by mailauth. */
async function verified(message: Buffer): Promise<string[]> {
  const options = { resolver, minBitLength: 1024 } as Parameters<typeof dkimVerify>[1];
  const { results } = await dkimVerify(message, options);
  return results.map(({ status }) => status.result);
}

/** A Python that has dkimpy and PyNaCl, as Debian's does. */
const python = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import dkim, nacl']).status === 0,
);

const VERIFY = `
import sys, json, dkim
records = json.loads(sys.argv[1])
message = sys.stdin.buffer.read()
lookup = lambda name, timeout=5: records.get(name.decode().rstrip('.'), '').encode()
count = message.split(b'\\r\\n\\r\\n')[0].count(b'DKIM-Signature:')
def passes(n):
    try:
        return dkim.DKIM(message).verify(idx=n, dnsfunc=lookup)
    except dkim.DKIMException:
        return False
print(json.dumps([passes(n) for n in range(count)]))
`;

/** The same by dkimpy: independent code. */
function verifiedByPython(message: Buffer): boolean[] {
  const { stdout, stderr } = spawnSync(python as string, ['-c', VERIFY, JSON.stringify(RECORDS)], { input: message });
  if (stdout.length === 0) throw new Error(String(stderr));
  return JSON.parse(String(stdout));
}

const faults = () => ({ failed: jest.fn(), signed: jest.fn() });
const stageOf = (keys: readonly SigningKey[] | Error, options: SendingOptions = {}, noted = faults()) =>
  new DkimStage({ of: async () => (keys instanceof Error ? Promise.reject(keys) : keys) }, noted, options);

/** The message with its signatures, as it leaves. */
async function signed(raw: BuiltMessage['raw'], stage = stageOf(KEYS), rest: Partial<BuiltMessage> = {}) {
  const built: BuiltMessage = {
    from: `a@${DOMAIN}`,
    recipients: ['b@to.test'],
    needsSmtpUtf8: false,
    raw,
    ...rest,
  };
  const email = { id: 'email', accountId: 'one', topicId: null, recipients: [] };
  const transport = { name: 'mx.test:25', kind: 'smtp' };
  const stages = new MessageStages([stage]).around({ build: async () => built }, transport);
  return stages.build(email as never, built.recipients, new Set());
}

const bytesOf = async (raw: BuiltMessage['raw'] | undefined) =>
  Buffer.isBuffer(raw) ? raw : buffer((raw as () => Readable)());

const HEAD = [
  'From: Shop <a@shop.test>',
  'To: b@to.test',
  'Subject: Hello',
  'Date: Fri, 27 Nov 2026 12:00:00 +0000',
  'Message-ID: <1@shop.test>',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
];
const message = (body: string, ...fields: string[]) =>
  Buffer.from(`${[...HEAD, ...fields].join('\r\n')}\r\n\r\n${body}`);

const SHAPES: [string, Buffer][] = [
  ['an ordinary message', message('Hello\r\n')],
  ['an empty body', message('')],
  ['a body without a line end', message('no line end')],
  ['empty lines at the end', message('text\r\n\r\n \t\r\n\r\n')],
  ['bare CR and LF', message('one\rtwo\nthree\r\n\n\r')],
  ['folded fields', message('x\r\n', 'List-Unsubscribe:\r\n\t<https://a.test/1>,\r\n  <mailto:u@a.test>')],
  ['a field with tabs and blanks', message('x\r\n', 'In-Reply-To:\t <2@shop.test>  \t')],
  ['a line of 998 octets', message('x\r\n', `References: ${'<3@shop.test>'.padEnd(986, 'x')}`)],
  ['an 8-bit field (SMTPUTF8)', message('Grüße\r\n', 'Reply-To: "Jörg  M" <jörg@bücher.test>')],
  ['8-bit text and NUL', Buffer.concat([message(''), Buffer.from([0xff, 0, 0x20, 0x80, 0x0d, 0x0a])])],
  [
    'one-click unsubscribe',
    message('x\r\n', 'List-Unsubscribe: <https://a.test/1>', 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'),
  ],
  ['dots', message('.\r\n..\r\n.x\r\n')],
];

/** Forms that mailauth reads otherwise: it takes NBSP (0xA0) for a blank, and no message ends without an empty line. */
const OTHER_SHAPES: [string, Buffer][] = [
  ['an 8-bit field with a byte 0xA0', message('x\r\n', 'Reply-To: "à  \u00a0" <à@bücher.test>')],
  ['a message without a body', Buffer.from(`${HEAD.join('\r\n')}\r\n`)],
];

describe('DkimStage', () => {
  it.each(SHAPES)('signs %s by both keys', async (_, raw) => {
    const whole = await bytesOf((await signed(raw)).raw);
    expect(await verified(whole)).toEqual(['pass', 'pass']);
  });

  (python ? it : it.skip)('signs what an independent program verifies', async () => {
    for (const [name, raw] of [...SHAPES, ...OTHER_SHAPES]) {
      const whole = await bytesOf((await signed(raw)).raw);
      expect([name, verifiedByPython(whole)]).toEqual([name, [true, true]]);
    }
  });

  const FORGERIES: [string, (text: string) => string][] = [
    ['a second Subject on top', (text) => `Subject: Buy\r\n${text}`],
    ['a second Subject below', (text) => text.replace('MIME-Version', 'Subject: Buy\r\nMIME-Version')],
    ['a second From', (text) => `From: evil@else.test\r\n${text}`],
    ['another Subject', (text) => text.replace('Subject: Hello', 'Subject: hello')],
    ['an added Reply-To', (text) => `Reply-To: evil@else.test\r\n${text}`],
    ['an added List-Unsubscribe-Post', (text) => `List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n${text}`],
    ['an added Content-Type', (text) => `Content-Type: text/html\r\n${text}`],
    ['another byte in the body', (text) => text.replace('one body', 'one bodY')],
    ['appended text', (text) => `${text}more\r\n`],
    [
      'a text that moved into the header',
      (text) => text.replace('\r\n\r\n', '\r\nX-A: b\r\n\r\n').replace('one', 'on'),
    ],
    ['another time', (text) => text.replace(/ t=\d/g, ' t=0')],
    ['another domain', (text) => text.replaceAll('d=shop.test', 'd=else.test')],
  ];

  it.each(FORGERIES)('has no valid signature with %s', async (_, forge) => {
    const whole = await bytesOf((await signed(message('one body\r\n'))).raw);
    const forged = Buffer.from(forge(whole.toString('latin1')), 'latin1');
    expect(forged.equals(whole)).toBe(false);
    expect(await verified(whole)).toEqual(['pass', 'pass']);
    expect(await verified(forged)).not.toContain('pass');
    if (python) expect(verifiedByPython(forged)).not.toContain(true);
  });

  it('has the tags of the contract, folded where they may be', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const text = String(await bytesOf((await signed(message('x\r\n'))).raw));
    const fields = text
      .slice(0, text.indexOf('From:'))
      .split(/\r\n(?!\t)/)
      .filter(Boolean);
    expect(fields).toHaveLength(2);
    for (const [n, field] of fields.entries()) {
      for (const line of field.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
      // No fold within a name of `h=`.
      for (const line of /h=([^;]*)/.exec(field)?.[1]?.split('\r\n\t') ?? []) expect(line).toMatch(/^[a-z:-]+$/);
      const tags = new Map(
        field
          .replace(/\s/g, '')
          .slice('DKIM-Signature:'.length)
          .split(';')
          .map((tag) => {
            const at = tag.indexOf('=');
            return [tag.slice(0, at), tag.slice(at + 1)];
          }),
      );
      expect([...tags.keys()]).toEqual(['v', 'a', 'c', 'd', 's', 't', 'h', 'bh', 'b']);
      expect(tags.get('a')).toBe(['rsa-sha256', 'ed25519-sha256'][n]);
      expect(tags.get('c')).toBe('relaxed/relaxed');
      expect(Number(tags.get('t')) - before).toBeLessThan(60);
      expect(tags.get('h')).toMatch(/^from:from:sender:reply-to:to:to:cc:subject:subject:/);
      expect(tags.get('h')).toMatch(/list-unsubscribe:list-unsubscribe-post$/);
    }
  });

  it('covers the fields of earlier stages, and both forms of a message', async () => {
    const opened = (body: string) => () => Readable.from([message(body)], { objectMode: false });
    const both = await signed(opened('Grüße\r\n'), stageOf(KEYS), { raw7Bit: opened('R3LDvMOfZQ==\r\n') });
    for (const raw of [both.raw, both.raw7Bit]) expect(await verified(await bytesOf(raw))).toEqual(['pass', 'pass']);
    const earlier = { apply: () => ({ headers: [['List-Id', '<news.shop.test>']] as const }) };
    const email = { id: 'email', accountId: 'one', topicId: null, recipients: [] } as never;
    const built = { from: `a@${DOMAIN}`, recipients: ['b@to.test'], needsSmtpUtf8: false, raw: message('x\r\n') };
    const stages = new MessageStages([stageOf(KEYS), earlier]);
    const { raw } = await stages
      .around({ build: async () => built }, { name: 'a', kind: 'smtp' })
      .build(email, [], new Set());
    expect(await verified(await bytesOf(raw))).toEqual(['pass', 'pass']);
    const without = Buffer.from(String(await bytesOf(raw)).replace('List-Id: <news.shop.test>\r\n', ''));
    expect(await verified(without)).not.toContain('pass');
  });

  it('reads a large message once, in a turn of the event loop for each slice', async () => {
    let openings = 0;
    const piece = Buffer.from(`${'QUJD '.repeat(15)}\r\n`.repeat(13_000));
    const open = () => {
      openings++;
      return Readable.from([message(''), ...Array<Buffer>(10).fill(piece)], { objectMode: false });
    };
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const about = { accountId: 'one', emailId: 'e', topicId: null, fromDomain: DOMAIN } as StagedMessage;
    const result = await stageOf(KEYS).apply({ ...about, transport: { name: 'a', kind: 'smtp' }, raw: open });
    isOver = true;
    expect(openings).toBe(1);
    expect(result?.headers).toHaveLength(2);
    expect(turns).toBeGreaterThan((10 * piece.length) / SLICE);
  });

  it('leaves the mail of a domain without keys as it is', async () => {
    const noted = faults();
    const raw = message('x\r\n');
    expect(await bytesOf((await signed(raw, stageOf([], { feedbackId: 'acme-1' }, noted))).raw)).toEqual(raw);
    expect(noted.failed).not.toHaveBeenCalled();
    expect(await stageOf([]).signs('one', DOMAIN)).toBe(false);
    expect(await stageOf(KEYS).signs('one', DOMAIN)).toBe(true);
  });

  it.each<[string, readonly SigningKey[] | Error]>([
    ['that cannot be opened', new Error('sealed')],
    ['of another type', [{ selector: 's', algorithm: 'ed25519', key: rsa.privateKey }]],
    ['that is public', [{ selector: 's', algorithm: 'rsa', key: rsa.publicKey }]],
    ['of which one is broken', [...KEYS, { selector: 's', algorithm: 'rsa', key: ed25519.privateKey }]],
  ])('sends nothing unsigned for a key %s, and notes it', async (_, keys) => {
    const noted = faults();
    await expect(signed(message('x\r\n'), stageOf(keys, {}, noted))).rejects.toMatchObject({ name: 'CannotSign' });
    expect(noted.failed).toHaveBeenCalledWith('one', DOMAIN, expect.any(Error));
    expect(noted.signed).not.toHaveBeenCalled();
  });

  it('does not blame a key for a message that cannot be read', async () => {
    const noted = faults();
    const broken = () =>
      Readable.from(
        (async function* () {
          yield message('');
          throw new Error('storage');
        })(),
        { objectMode: false },
      );
    await expect(signed(broken, stageOf(KEYS, {}, noted))).rejects.toThrow('storage');
    expect(noted.failed).not.toHaveBeenCalled();
  });

  it('covers no field that Amazon SES replaces, with one signature', async () => {
    const whole = String(await bytesOf((await signed(message('x\r\n'), stageOf(KEYS, { relay: 'ses' }))).raw));
    const replaced = whole.replace(/Date: .*/, 'Date: Sat, 28 Nov 2026 12:00:00 +0000').replace('<1@', '<2@');
    expect(replaced).not.toBe(whole);
    expect(await verified(Buffer.from(replaced))).toEqual(['pass']);
  });

  it('adds a Feedback-ID under the signature, unless the caller has one', async () => {
    const stage = () => stageOf(KEYS, { feedbackId: 'acme-1' });
    const whole = String(await bytesOf((await signed(message('x\r\n'), stage())).raw));
    expect(whole).toContain('\r\nFeedback-ID: :one:single:acme-1\r\nFrom:');
    expect(await verified(Buffer.from(whole))).toEqual(['pass', 'pass']);
    expect(await verified(Buffer.from(whole.replace(':one:', ':two:')))).not.toContain('pass');
    const own = String(await bytesOf((await signed(message('x\r\n', 'Feedback-Id: a:b:c:own'), stage())).raw));
    expect(own.match(/^feedback-id:/gim)).toHaveLength(1);
  });
});
