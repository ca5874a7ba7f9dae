import fc from 'fast-check';
import { until } from '../support/basics/wait-for.js';
import { ContractHost, letter } from '../support/hosts/contract-host.js';
import { holds } from '../support/jest/property.js';
import { megabytesOf } from '../support/reading/process-memory.js';
import { RawConnection } from '../support/requests/raw-connection.js';

const MB = 1_000_000;

/** Upload behaviour of one client. */
interface Sender {
  account: number;
  /** Bytes of text in the email. */
  size: number;
  /** True if it has a file in numbers of a quarter of that size instead. */
  hasFile: boolean;
  /** Bytes of each chunk, in turn. */
  chunks: readonly number[];
  /** Extension after the size of each chunk. */
  extension: string;
  end: 'whole' | 'trailers' | 'never' | 'cut' | 'broken';
}

/** Bodies of unknown and announced length at any speed: a slow or unusual client harms only itself. */
describe('bodies of every pace', () => {
  let api: ContractHost;
  let tokens: string[];

  beforeAll(async () => {
    api = await ContractHost.start({ env: { LOG_LEVEL: 'error' } });
    tokens = [api.host.token];
    while (tokens.length < 4) tokens.push((await api.host.account(`number ${tokens.length}`)).token);
  });

  const head = (account: number, ...fields: string[]) =>
    [
      'POST /emails HTTP/1.1',
      'Host: a.test',
      'Connection: close',
      `Authorization: Bearer ${tokens[account]}`,
      'Content-Type: application/json',
      ...fields,
      '',
      '',
    ].join('\r\n');

  const CHUNKED = 'Transfer-Encoding: chunked';
  const chunk = (text: string, extension = '') => `${text.length.toString(16)}${extension}\r\n${text}\r\n`;
  const open = (account: number, field: string, body: string) =>
    RawConnection.open(api.host.url, head(account, field) + body);
  const answered = ({ received }: RawConnection) => /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];

  async function answerOf(connection: RawConnection): Promise<string | undefined> {
    return until(() => answered(connection), { timeout: api.host.seconds(20), what: 'an answer' });
  }

  /** Small emails of every account, of announced and unknown length, which must all be accepted. */
  async function expectService(): Promise<void> {
    const body = JSON.stringify(letter());
    const chunked = tokens.map((_, account) => open(account, CHUNKED, `${chunk(body)}0\r\n\r\n`).then(answerOf));
    const announced = tokens.map((token) => api.host.request('POST', '/emails', { body, token }));
    expect(await Promise.all(chunked)).toEqual(tokens.map(() => '200'));
    expect((await Promise.all(announced)).map(({ status }) => status)).toEqual(tokens.map(() => 200));
  }

  it('do not block small bodies of unknown length', async () => {
    const dawdlers = await Promise.all([1, 2, 3].map((account) => open(account, CHUNKED, chunk(' '))));
    await expectService();
    const many = Array.from({ length: 60 }, () => open(0, CHUNKED, `${chunk(JSON.stringify(letter()))}0\r\n\r\n`));
    const answers = await Promise.all(many.map(async (opening) => answerOf(await opening)));
    expect(answers).toEqual(answers.map(() => '200'));
    expect(dawdlers.map(answered)).toEqual([undefined, undefined, undefined]);
    await Promise.all(dawdlers.map((connection) => connection.end()));
  });

  it('do not block large bodies, with any announced length', async () => {
    const length = 40 * MB;
    const dawdlers = await Promise.all(
      [1, 2, 1, 2].map((account) => open(account, `Content-Length: ${length}`, ' '.repeat(MB))),
    );
    const body = letter({ text: 'x'.repeat(2 * MB) });
    expect((await api.host.request('POST', '/emails', { body })).status).toBe(200);
    const sent = `${chunk(JSON.stringify(body))}0\r\n\r\n`;
    expect(await answerOf(await open(3, CHUNKED, sent))).toBe('200');
    await Promise.all(dawdlers.map((connection) => connection.end()));
  });

  it('do not block others when they are just fast enough and of unknown length', async () => {
    const slow = await open(1, CHUNKED, chunk(' '.repeat(5 * MB)));
    const more = setInterval(() => slow.write(chunk(' '.repeat(0.06 * MB))), 100);
    try {
      for (const size of [1.5, 3, 10]) {
        const body = JSON.stringify(letter({ text: 'x'.repeat(size * MB) }));
        expect(await answerOf(await open(2, CHUNKED, `${chunk(body)}0\r\n\r\n`))).toBe('200');
      }
      expect(answered(slow)).toBeUndefined();
    } finally {
      clearInterval(more);
      await slow.end();
    }
  });

  it('block others only until they are detected as slow', async () => {
    // Together they hold all memory.
    const dawdlers = await Promise.all(
      [1, 2, 3].map((account) => open(account, `Content-Length: ${57 * MB}`, ' '.repeat(25 * MB))),
    );
    const body = letter({ attachments: [{ filename: 'a.bin', content: 'QUJD'.repeat(7 * MB) }] });
    expect((await api.host.request('POST', '/emails', { body, timeout: api.host.seconds(60) })).status).toBe(200);
    await until(() => dawdlers.map(answered).includes('503'), {
      timeout: api.host.seconds(20),
      what: 'the end of a slow one',
    });
    await Promise.all(dawdlers.map((connection) => connection.end()));
  });

  const sender: fc.Arbitrary<Sender> = fc.record({
    account: fc.integer({ min: 1, max: 3 }),
    size: fc.oneof(fc.nat(2_000), fc.integer({ min: 60_000, max: 70_000 }), fc.nat(3 * MB)),
    hasFile: fc.boolean(),
    chunks: fc.oneof<fc.Arbitrary<readonly number[]>[]>(
      fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 10 }),
      fc.constantFrom([1], [1, 100_000], [16], [5 * MB]),
    ),
    extension: fc.constantFrom('', ';a=b', ';a="b c"', `;x=${'y'.repeat(50)}`),
    end: fc.constantFrom('whole', 'whole', 'trailers', 'never', 'cut', 'broken'),
  });

  /** The body on the wire, up to the point where the sender stops. */
  function wire({ size, hasFile, chunks, extension, end }: Sender): string[] {
    const content = hasFile ? Array.from({ length: 1 + size / 4 }, (_, at) => at % 256) : undefined;
    const text = JSON.stringify(
      letter(content ? { attachments: [{ filename: 'a', content }] } : { text: 'x'.repeat(size) }),
    );
    const parts: string[] = [];
    for (let at = 0, turn = 0; at < text.length; turn += 1) {
      // Single bytes only at the start, since a whole large body would take too long.
      const length = parts.length > 5_000 ? 100_000 : (chunks[turn % chunks.length] ?? 1);
      // Node takes up to 16 kB of extensions in a request.
      parts.push(chunk(text.slice(at, at + length), parts.length < 100 ? extension : ''));
      at += length;
    }
    if (end === 'never' || end === 'cut') return parts.slice(0, Math.ceil(parts.length / 2));
    if (end === 'broken') return [...parts.slice(0, Math.ceil(parts.length / 2)), 'zz\r\n'];
    return [...parts, end === 'trailers' ? '0\r\nX-Trailer: a\r\n\r\n' : '0\r\n\r\n'];
  }

  /** Sends in three parts; between them all other clients are served. */
  async function send(connection: RawConnection, parts: readonly string[], stroke: number): Promise<void> {
    const third = Math.ceil(parts.length / 3);
    connection.write(parts.slice(stroke * third, (stroke + 1) * third).join(''));
  }

  const EXPECTED: Record<Sender['end'], readonly (string | undefined)[]> = {
    whole: ['200'],
    trailers: ['200'],
    never: [undefined, '503'],
    // Until it disconnects, it is a client that never ends, and delays waiting ones.
    cut: [undefined, '503'],
    broken: ['400'],
  };

  it('are answered independently, and small ones next to them always', async () => {
    await holds(
      fc.asyncProperty(fc.array(sender, { minLength: 10, maxLength: 25 }), async (senders) => {
        const connections = await Promise.all(senders.map(({ account }) => open(account, CHUNKED, '')));
        for (const stroke of [0, 1, 2]) {
          for (const [at, one] of senders.entries()) await send(connections[at]!, wire(one), stroke);
          await expectService();
        }
        for (const [at, { end }] of senders.entries()) {
          const connection = connections[at]!;
          if (end === 'cut') await connection.end();
          if (EXPECTED[end].includes(undefined)) expect(EXPECTED[end]).toContain(answered(connection));
          else expect(EXPECTED[end]).toContain(await answerOf(connection));
        }
        await Promise.all(connections.map((connection) => connection.end()));
      }),
      6,
    );
  });

  it('leave the host working, and in bounded memory', async () => {
    await expectService();
    expect(megabytesOf(api.host.pid)).toBeLessThan(400);
    expect(api.host.output).not.toMatch(/"level":"fatal"|"status":500/);
  });
});
