import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import type { MessageRecipient } from '../../index.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { SecretKeys } from '../../shared/keys/secret-keys.js';
import { TEST_CERTIFICATE, TEST_KEY } from '../../shared/net/certificate.spec-tools.js';
import { returnAddress } from '../return-path/return-address.js';
import { ReturnPathTokens } from '../return-path/return-path-tokens.js';
import { UnsubscribeAddresses } from '../return-path/unsubscribe-addresses.js';
import { FeedbackListener } from './feedback-listener.js';
import type { ListenerOptions } from './listener.options.js';
import type { IncomingMessage } from './report-intake.js';

const EMAIL = '0196a000-0000-7000-8000-0000000000ff';
const tokens = new ReturnPathTokens(new SecretKeys(['s'.repeat(32)]));
const token = tokens.sign({ emailId: EMAIL, recipient: 0 }) as string;
const TO = returnAddress(token, 'bounces.test');
const FBL = 'fbl@bücher.test';

const thread = { verify: async () => 'fail' as const };

const addresses = new UnsubscribeAddresses('bounces.test', new SecretKeys(['s'.repeat(32)]));
const unsubscribed: MessageRecipient[] = [];
const unsubscribes = {
  recipientOf: (address: string) => addresses.recipientOf(address),
  take: async (recipient: MessageRecipient) => {
    await onTake();
    unsubscribed.push(recipient);
  },
};

let listener: FeedbackListener | undefined;
const taken: IncomingMessage[] = [];
let onTake: () => Promise<void> = async () => {};

async function start(options: Partial<ListenerOptions> = {}, directory?: object): Promise<number> {
  const take = async (message: IncomingMessage) => {
    await onTake();
    taken.push(message);
  };
  const given = { port: 0, host: '127.0.0.1', feedbackAddresses: [FBL], ...options };
  const all = { bounceDomain: 'bounces.test', listener: given };
  listener = new FeedbackListener(all, tokens, { take }, thread, unsubscribes, directory);
  await listener.onApplicationBootstrap();
  return listener.port as number;
}

beforeAll(() => Logger.overrideLogger(false));

afterEach(async () => {
  await listener?.beforeApplicationShutdown();
  listener = undefined;
  taken.length = 0;
  unsubscribed.length = 0;
  onTake = async () => {};
});

const client = (port: number, some: object = {}) =>
  createTransport({ host: '127.0.0.1', port, ignoreTLS: true, ...some } as object);
const send = (
  port: number,
  to: string | string[],
  raw: string | Buffer = 'Subject: x\r\n\r\nbody\r\n',
  some: object = {},
) => client(port, some).sendMail({ envelope: { from: '', to }, raw } as never);

/** Lets time pass for a connection that was greeted, at the end of which it is closed. */
async function inFakeTime(port: number, pass: (socket: Socket) => Promise<void>): Promise<void> {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
  try {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    while (jest.getTimerCount() === 0) await new Promise(setImmediate);
    jest.advanceTimersByTime(100);
    expect(String(await once(socket, 'data'))).toMatch(/^220/);
    await pass(socket);
    expect(String(await once(socket, 'data'))).toMatch(/^421/);
    await once(socket, 'close');
    while (jest.getTimerCount() > 0) await new Promise(setImmediate);
  } finally {
    jest.useRealTimers();
  }
}

describe('FeedbackListener', () => {
  it('accepts a message to a token, and to a feedback address, in any form of them', async () => {
    const port = await start();
    await send(port, TO);
    await send(port, TO.toUpperCase());
    await send(port, 'FBL@xn--bcher-kva.test');
    expect(taken.map((message) => message.token)).toEqual([token, token, undefined]);
    expect(taken[0]).toMatchObject({ from: '', bytes: Buffer.from('Subject: x\r\n\r\nbody\r\n') });
  });

  it.each([
    `b+${'a'.repeat(47)}@bounces.test`,
    returnAddress(token, 'other.test'),
    'postmaster@bounces.test',
    'fbl@bounces.test',
  ])('refuses mail to %s', async (to) => {
    const port = await start();
    // Before any byte of the message.
    await expect(send(port, to)).rejects.toMatchObject({
      command: 'RCPT TO',
      responseCode: 550,
      response: expect.stringContaining('5.1.1'),
    });
    expect(taken).toEqual([]);
  });

  it('unsubscribes by a mail to the address of a recipient, whatever it says', async () => {
    const port = await start();
    const recipient = { emailId: EMAIL, recipient: 2 };
    const to = addresses.addressOf(recipient) as string;
    await send(port, to);
    await send(port, to.toUpperCase(), 'Subject: =?utf-8?Q?=00?=\r\n\r\n\0');
    expect(unsubscribed).toEqual([recipient, recipient]);
    expect(taken).toEqual([]);
    onTake = async () => {
      throw ApiError.locked();
    };
    await expect(send(port, to)).rejects.toMatchObject({ responseCode: 451 });
    const forged = to.replace(/^u\+./, (start) => (start.endsWith('a') ? 'u+b' : 'u+a'));
    await expect(send(port, forged)).rejects.toMatchObject({ responseCode: 550 });
  });

  it('accepts a token at any domain where accounts have domains, and nothing else', async () => {
    const port = await start({}, {});
    await send(port, returnAddress(token, 'send.shop.test'));
    await send(port, TO);
    for (const to of [`b+${'a'.repeat(47)}@send.shop.test`, 'postmaster@send.shop.test', 'fbl@send.shop.test']) {
      await expect(send(port, to)).rejects.toMatchObject({ responseCode: 550 });
    }
    expect(taken.map((message) => message.token)).toEqual([token, token]);
  });

  it('refuses a message above a megabyte, also one that does not say its size', async () => {
    const port = await start();
    await expect(send(port, TO, Buffer.alloc(1_100_000, 'x\r\n'))).rejects.toMatchObject({ responseCode: 552 });
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    for (const line of ['EHLO me', 'MAIL FROM:<>', `RCPT TO:<${TO}>`, 'DATA']) {
      await once(socket, 'data');
      socket.write(`${line}\r\n`);
    }
    await once(socket, 'data');
    socket.write(`${'x'.repeat(70)}\r\n`.repeat(20_000));
    socket.write('.\r\n');
    expect(String(await once(socket, 'data'))).toMatch(/^552/);
    socket.destroy();
    expect(taken).toEqual([]);
  });

  it.each([
    ['the database is away', ApiError.locked()],
    ['there is a mistake', new TypeError('x is not a function')],
  ])('answers 451 when %s, and takes the message later', async (_, error) => {
    const port = await start();
    onTake = () => Promise.reject(error);
    await expect(send(port, TO)).rejects.toMatchObject({ responseCode: 451 });
    onTake = async () => {};
    await send(port, TO);
    expect(taken).toHaveLength(1);
  });

  it('answers 250 after the report is recorded', async () => {
    const port = await start();
    const steps: string[] = [];
    onTake = async () => {
      await send(port, FBL.replace('fbl', 'other')).catch(() => steps.push('recorded'));
    };
    await send(port, TO);
    steps.push('answered');
    expect(steps).toEqual(['recorded', 'answered']);
  });

  it('takes a hundred messages and refused recipients a minute from an address', async () => {
    const port = await start();
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    await once(socket, 'data');
    socket.write('EHLO me\r\nMAIL FROM:<>\r\n');
    for (let at = 0; at < 101; at++) socket.write('RCPT TO:<x@bounces.test>\r\n');
    let heard = '';
    for await (const piece of socket) heard += piece;
    expect(heard.match(/^550 /gm)).toHaveLength(100);
    expect(heard.match(/^421 /gm)).toHaveLength(1);
  });

  it('has twenty connections, ten of one address', async () => {
    const port = await start();
    const sockets: Socket[] = [];
    const greetings = (count: number, localAddress: string) => {
      const fresh = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
      sockets.push(...fresh);
      return Promise.all(fresh.map(async (socket) => String(await once(socket, 'data')).slice(0, 3)));
    };
    for (const localAddress of ['127.0.0.1', '127.0.0.2']) await send(port, TO, undefined, { localAddress });
    const codes = await greetings(11, '127.0.0.1');
    expect(codes.toSorted()).toEqual([...Array(10).fill('220'), '421']);
    expect(await greetings(10, '127.0.0.2')).toEqual(Array(10).fill('220'));
    const one = sockets[codes.indexOf('220')] as Socket;
    one.end('QUIT\r\n');
    await once(one, 'close');
    expect(await greetings(1, '127.0.0.1')).toEqual(['220']);
    // All are in use: one of those with most gives one to the third.
    const ended = new Promise<string>((resolve) => {
      for (const socket of sockets) socket.on('data', (reply) => resolve(String(reply)));
    });
    expect(await greetings(1, '127.0.0.3')).toEqual(['220']);
    expect(await ended).toMatch(/^421 /);
    for (const socket of sockets) socket.destroy();
  });

  it('has three connections of an address that has sent to no accepted recipient', async () => {
    const port = await start();
    await send(port, returnAddress(token, 'other.test')).catch(() => {});
    const sockets = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'));
    const codes = await Promise.all(sockets.map(async (socket) => String(await once(socket, 'data')).slice(0, 3)));
    expect(codes.toSorted()).toEqual(['220', '220', '220', '421']);
    for (const socket of sockets) socket.destroy();
  });

  it('greets others while an address opens connections faster than they are refused', async () => {
    const port = await start();
    const flood = Array.from({ length: 60 }, () => connect({ port, host: '127.0.0.1', localAddress: '127.0.0.3' }));
    await Promise.all(flood.map((socket) => once(socket, 'connect')));
    const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    expect(String(await once(other, 'data'))).toMatch(/^220/);
    for (const socket of [...flood, other]) socket.destroy();
  });

  it('ends a connection without an accepted recipient after a minute', async () => {
    await inFakeTime(await start(), async () => {
      jest.advanceTimersByTime(60_000);
    });
  });

  it('ends a connection after ten minutes, however slowly its bytes come', async () => {
    const port = await start();
    await send(port, TO);
    await inFakeTime(port, async (socket) => {
      for (let minute = 0; minute < 10; minute++) {
        expect(jest.getTimerCount()).toBe(1);
        socket.write('N');
        jest.advanceTimersByTime(60_000);
      }
    });
  });

  it('offers no AUTH, and STARTTLS only with a key', async () => {
    const offered = async (port: number) => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      await once(socket, 'data');
      socket.write('EHLO me\r\n');
      const [features] = (await once(socket, 'data')) as [string];
      socket.destroy();
      return features;
    };
    expect(await offered(await start())).not.toMatch(/AUTH|STARTTLS/);
    await listener?.beforeApplicationShutdown();
    const port = await start({ tls: { key: TEST_KEY, cert: TEST_CERTIFICATE } });
    expect(await offered(port)).toMatch(/STARTTLS/);
    await send(port, TO, undefined, { ignoreTLS: false, requireTLS: true, tls: { rejectUnauthorized: false } });
    expect(taken).toHaveLength(1);
  });

  it('is off without options, and refuses to accept nothing at all', async () => {
    const off = new FeedbackListener({}, tokens, { take: async () => {} }, thread, unsubscribes);
    await off.onApplicationBootstrap();
    expect(off.port).toBeUndefined();
    await off.beforeApplicationShutdown();
    const options = { listener: { port: 0 } };
    expect(() => new FeedbackListener(options, tokens, { take: async () => {} }, thread, unsubscribes)).toThrow(
      '`bounceDomain`',
    );
  });

  it('refuses to start on a port that is taken', async () => {
    const port = await start();
    const taken = { port, host: '127.0.0.1' };
    const second = new FeedbackListener(
      { bounceDomain: 'b.test', listener: taken },
      tokens,
      { take: async () => {} },
      thread,
      unsubscribes,
    );
    await expect(second.onApplicationBootstrap()).rejects.toThrow('EADDRINUSE');
  });
});
