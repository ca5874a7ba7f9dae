import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { parseMime } from '../support/reading/mime.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

function send(sink: SmtpSink, message: SendMailOptions = {}, auth?: { user: string; pass: string }) {
  const transport = createTransport({
    host: '127.0.0.1',
    port: sink.port,
    socketTimeout: 1_000,
    ...(auth && { auth }),
  });
  return transport.sendMail({ from: 'a@from.test', to: 'b@to.test', subject: 'Hello', text: 'Hi', ...message });
}

/** Sends everything at once or byte by byte, and returns all replies of the sink until it closed. */
async function speak(sink: SmtpSink, text: string, chunk = text.length): Promise<string> {
  const socket: Socket = connect(sink.port, '127.0.0.1').setNoDelay(true).setEncoding('utf8');
  let answers = '';
  socket.on('data', (data: string) => {
    answers += data;
  });
  for (let at = 0; at < text.length; at += chunk) {
    await new Promise((resolve) => socket.write(text.slice(at, at + chunk), resolve));
  }
  await once(socket, 'close');
  return answers;
}

const envelope = 'EHLO me\r\nMAIL FROM:<a@from.test>\r\nRCPT TO:<b@to.test>\r\nDATA\r\n';

describe('the SMTP sink', () => {
  let sink: SmtpSink;

  beforeAll(async () => {
    sink = await SmtpSink.start();
  });

  beforeEach(() => sink.reset());

  it('keeps envelope and message of a real client', async () => {
    await send(sink, { to: ['b@to.test', '"C, Inc." <c@to.test>'], bcc: 'd@to.test', text: '.\r\n..two\r\nÄ' });
    const [message] = await sink.waitFor(1);
    expect(message?.envelope).toMatchObject({ from: 'a@from.test', to: ['b@to.test', 'c@to.test', 'd@to.test'] });
    const parsed = await parseMime(message!.raw);
    expect(parsed.subject).toBe('Hello');
    expect(parsed.text?.split(/\r?\n/)).toEqual(['.', '..two', 'Ä', '']);
    expect(parsed.to?.map(({ name }) => name)).toEqual(['', 'C, Inc.']);
  });

  it.each([1, 3, 10_000])('ends a message only at CR LF . CR LF, in pieces of %d bytes', async (chunk) => {
    const sent = '..one\r\n\n.\n\r.\r\n.\n...\r\n..\r\nend \0\r\n';
    const answers = await speak(sink, `${envelope}${sent}.\r\nQUIT\r\n`, chunk);
    expect(answers).toMatch(/^354 .*\r\n250 .*\r\n221 /m);
    expect(sink.messages).toHaveLength(1);
    expect(sink.messages[0]?.raw.toString()).toBe('.one\r\n\n.\n\r.\r\n\n...\r\n.\r\nend \0\r\n');
  });

  it('accepts an empty message, and a second one on the same connection', async () => {
    const second = envelope.replace('EHLO me\r\n', '');
    await speak(sink, `${envelope}.\r\n${second}two\r\n.\r\nQUIT\r\n`);
    expect(sink.messages.map(({ raw }) => raw.toString())).toEqual(['', 'two\r\n']);
  });

  it('reads quoted local parts and parameters', async () => {
    const mail = 'MAIL FROM:<"a>b"@from.test> SMTPUTF8 SIZE=3\r\nRCPT TO:<jörg@to.test>\r\n';
    await speak(sink, `EHLO me\r\n${mail}DATA\r\n.\r\nQUIT\r\n`);
    expect(sink.messages[0]?.envelope).toEqual({
      from: '"a>b"@from.test',
      to: ['jörg@to.test'],
      parameters: ['SMTPUTF8', 'SIZE=3'],
    });
  });

  it('refuses commands out of order', async () => {
    const answers = await speak(sink, 'DATA\r\nRCPT TO:<a@b.c>\r\nMAIL FROM:nobody\r\nEHLO me\nNONSENSE\r\nQUIT\r\n');
    expect(answers.match(/^\d+/gm)).toEqual(['220', '503', '503', '501', '500', '221']);
  });

  it('refuses a recipient the first time and keeps the others', async () => {
    sink.onRcpt = (address, count) => (address === 'b@to.test' && count === 1 ? '451 4.7.1 later' : undefined);
    const first = await send(sink, { to: ['b@to.test', 'c@to.test'] });
    expect(first.rejected).toEqual(['b@to.test']);
    const second = await send(sink);
    expect(second.accepted).toEqual(['b@to.test']);
    expect(sink.messages.map((message) => message.envelope.to)).toEqual([['c@to.test'], ['b@to.test']]);
  });

  it.each([
    ['onConnect', 421],
    ['onMail', 452],
    ['onRcpt', 550],
    ['onData', 451],
    ['onMessage', 554],
  ] as const)('sends the set reply at %s', async (hook, code) => {
    sink[hook] = () => `${code} as told`;
    await expect(send(sink)).rejects.toMatchObject({ responseCode: code, response: `${code} as told` });
    expect(sink.messages).toHaveLength(0);
    expect(sink.offered).toHaveLength(hook === 'onMessage' ? 1 : 0);
  });

  it.each(['drop', 'hang'] as const)('can %s after the final dot', async (verdict) => {
    sink.onMessage = (_, count) => (count === 1 ? verdict : undefined);
    await expect(send(sink)).rejects.toMatchObject({ code: verdict === 'drop' ? /ESOCKET|ECONNECTION/ : 'ETIMEDOUT' });
    expect(sink.messages).toHaveLength(0);
    expect(sink.offered).toHaveLength(1);
    await send(sink);
    expect(sink.messages).toHaveLength(1);
  });

  it('waits for a slow verdict', async () => {
    let release: (() => void) | undefined;
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    const asked = new Promise<void>((resolve) => {
      sink.onMessage = () => {
        resolve();
        return held;
      };
    });
    const sending = send(sink);
    await asked;
    expect(sink.messages).toHaveLength(0);
    release?.();
    await sending;
    expect(sink.messages).toHaveLength(1);
  });

  it('reports the received messages when its wait times out', async () => {
    await send(sink);
    await expect(sink.waitFor(2, 50)).rejects.toThrow(
      '2 messages did not come within 50 ms: 1 accepted (to: b@to.test)',
    );
    await expect(sink.waitFor(() => false, 50)).rejects.toThrow('A matching message did not come');
  });

  it('requires credentials if configured, and offers SMTPUTF8 only if allowed', async () => {
    const strict = await SmtpSink.start({ credentials: { user: 'u', pass: 'p' }, smtpUtf8: false });
    expect(await speak(strict, 'EHLO me\r\nQUIT\r\n')).not.toContain('SMTPUTF8');
    expect(await speak(sink, 'EHLO me\r\nQUIT\r\n')).toContain('SMTPUTF8');
    await expect(send(strict)).rejects.toMatchObject({ responseCode: 530 });
    await expect(send(strict, {}, { user: 'u', pass: 'x' })).rejects.toMatchObject({ responseCode: 535 });
    await send(strict, {}, { user: 'u', pass: 'p' });
    expect(strict.messages).toHaveLength(1);
  });

  it('refuses connections once closed', async () => {
    const other = await SmtpSink.start();
    const { port } = other;
    await other.close();
    const [error] = await once(connect(port, '127.0.0.1'), 'error').catch((cause: unknown) => [cause]);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
