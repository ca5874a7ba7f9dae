import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { type Inbox, startInbox } from './inbox.js';

describe('the local inbox', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'emails-inbox-'));
  let inbox: Inbox;

  beforeAll(async () => {
    inbox = await startInbox({ dataDir });
  });

  afterAll(async () => {
    await inbox.close();
    rmSync(dataDir, { recursive: true });
  });

  const MESSAGE = 'From: a@example.com\r\nSubject: hello\r\n\r\n.dot\r\n..dots\r\nümlaut\r\n';

  const send = (to: string | string[], raw: string | Buffer = MESSAGE, from = 'a@example.com') =>
    createTransport(inbox.url).sendMail({ envelope: { from, to }, raw });

  const rawOf = async (id: string | undefined) => {
    const message = await inbox.raw(id ?? '');
    return message && buffer(message.stream);
  };

  it('keeps a message and its envelope, byte for byte', async () => {
    const before = Date.now();
    await send(['b@example.com', 'hidden@example.com']);
    const after = Date.now();
    const [entry] = inbox.list();
    expect(entry).toMatchObject({
      from: 'a@example.com',
      to: ['b@example.com', 'hidden@example.com'],
      subject: 'hello',
    });
    const received = Date.parse(entry?.received_at ?? '');
    expect([before, received, after]).toEqual([before, received, after].sort((a, b) => a - b));
    expect((await rawOf(entry?.id))?.toString()).toBe(MESSAGE);
  });

  it('shows addresses in their sent form', async () => {
    await send(['B@xn--bcher-kva.example', 'Anna.B@example.com'], MESSAGE, '');
    expect(inbox.list()[0]).toMatchObject({
      from: 'a@example.com',
      to: ['B@xn--bcher-kva.example', 'Anna.B@example.com'],
    });
    const long = `${'l'.repeat(64)}@${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.test.a`;
    await send(long.padEnd(254, 'a'));
    expect(inbox.list()[0]?.to[0]).toHaveLength(254);
  });

  it('lists the newest first, also after a restart', async () => {
    await send('c@example.com', 'Subject: newer\r\n\r\n');
    const before = inbox.list();
    expect(before[0]?.subject).toBe('newer');
    await inbox.close();
    inbox = await startInbox({ dataDir });
    expect(inbox.list()).toEqual(before);
    expect((await rawOf(before[0]?.id))?.toString()).toBe('Subject: newer\r\n\r\n');
  });

  it('answers by the name of an address', async () => {
    await expect(send('bounced@example.com')).rejects.toMatchObject({ responseCode: 550 });
    await expect(send('delayed@example.com')).rejects.toMatchObject({ responseCode: 451 });
    await expect(send('delayed@example.com')).rejects.toMatchObject({ responseCode: 451 });
    await send('delayed@example.com');
    const { accepted, rejected } = await send(['b@example.com', 'bounced@example.com']);
    expect([accepted, rejected]).toEqual([['b@example.com'], ['bounced@example.com']]);
    expect(inbox.list()[0]?.to).toEqual(['b@example.com']);
  });

  it('closes a connection by the name of an address, and no other', async () => {
    const others = Array.from({ length: 5 }, (_, n) => send(`o${n}@example.com`));
    await expect(send('closed@example.com')).rejects.toMatchObject({ code: 'ECONNECTION' });
    await Promise.all(others);
    await send('closed@example.com');
    await expect(send('toomuch@example.com')).rejects.toMatchObject({ responseCode: 452 });
  });

  it('accepts large messages and refuses those above its limit', async () => {
    const large = Buffer.alloc(50 * 1024 * 1024, `${'x'.repeat(70)}\r\n`);
    large.write('Subject: large\r\n\r\n');
    await send('b@example.com', large);
    const [entry] = inbox.list();
    expect(entry?.subject).toBe('large');
    // SMTP adds a missing end of the last line.
    expect((await rawOf(entry?.id))?.subarray(0, large.length).equals(large)).toBe(true);

    const files = readdirSync(join(dataDir, 'inbox')).length;
    await expect(send('b@example.com', Buffer.alloc(61 * 1024 * 1024, 'x\r\n'))).rejects.toMatchObject({
      responseCode: 552,
    });
    expect(readdirSync(join(dataDir, 'inbox'))).toHaveLength(files);
  });

  it('offers the extensions of modern messages, and none that needs a secret', async () => {
    const socket = connect(Number(new URL(inbox.url).port), '127.0.0.1').setEncoding('utf8');
    await once(socket, 'data');
    socket.write('EHLO me.test\r\n');
    const [features] = (await once(socket, 'data')) as [string];
    socket.destroy();
    expect(features).toMatch(/^250[ -]SMTPUTF8\r$/m);
    expect(features).toMatch(/^250[ -]8BITMIME\r$/m);
    expect(features).not.toMatch(/STARTTLS|AUTH/);
  });

  it('keeps nothing of a message whose sender hangs up, and continues', async () => {
    const kept = inbox.list();
    const socket = connect(Number(new URL(inbox.url).port), '127.0.0.1').setEncoding('utf8');
    for (const line of ['HELO me', 'MAIL FROM:<a@b.c>', 'RCPT TO:<d@e.f>', 'DATA']) {
      await once(socket, 'data');
      socket.write(`${line}\r\n`);
    }
    await once(socket, 'data');
    socket.write('Subject: half\r\n');
    socket.destroy();
    await send('b@example.com', 'Subject: whole\r\n\r\n');
    expect(inbox.list().map(({ subject }) => subject)).toEqual(['whole', ...kept.map(({ subject }) => subject)]);
  });

  it('closes once, even after several calls and with a connected client', async () => {
    const socket = connect(Number(new URL(inbox.url).port), '127.0.0.1');
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await Promise.all([inbox.close(), inbox.close()]);
    socket.end();
    await closed;
  });
});
