import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Duplex, Readable } from 'node:stream';
import { jest } from '@jest/globals';
import { ownAnswer } from '../routes/own-answer.js';
import { answerInPieces } from './answer.js';
import type { JsonBodyReader } from './json-body.reader.js';
import { emailLists, LargeAnswers } from './large-answers.js';
import { sendCsv } from './send-csv.js';
import { sendPieces } from './send-pieces.js';
import { sendStream } from './send-stream.js';

const MB = 1_000_000;

/** An answer whose client accepts a write when the test says so. */
class Answer {
  readonly request = new IncomingMessage(new Socket());
  readonly response = new ServerResponse(this.request);
  private done: (() => void) | undefined;
  private length = 0;

  constructor() {
    const socket = new Duplex({
      read: () => {},
      writev: (chunks, done) => {
        this.length = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0);
        this.done = done;
      },
    });
    this.response.assignSocket(Object.assign(socket, { setTimeout: () => {} }) as unknown as Socket);
    // As Node's server does.
    socket.on('drain', () => this.response.emit('drain'));
    socket.once('close', () => this.response.emit('close'));
    this.response.once('finish', () => this.response.emit('close'));
  }

  /** The client accepts bytes at this rate, in bytes a second, until the answer ends, or for some seconds. */
  async read(rate: number, seconds = Number.POSITIVE_INFINITY): Promise<void> {
    const end = performance.now() + seconds * 1_000;
    for (let idle = 0; idle < 10 && performance.now() < end; idle++) {
      await turns();
      const { done, length } = this;
      if (!done) continue;
      idle = 0;
      jest.advanceTimersByTime((length / rate) * 1_000);
      this.done = undefined;
      done();
    }
    await turns();
  }
}

/** Everything that needs no time has happened. */
async function turns(): Promise<void> {
  for (let count = 0; count < 10; count++) await new Promise(setImmediate);
}

/** Another account waits for memory from now on. */
function waitFor(answers: LargeAnswers, bytes: number, account: string): Answer {
  const waiting = new Answer();
  answers.makeRoom(bytes, account, waiting.response).catch(() => {});
  return waiting;
}

describe('sendPieces', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });

  afterEach(() => jest.useRealTimers());

  const piece = 'x'.repeat(MB / 2);
  const many = Array<string>(9).fill(piece);
  const async = async function* () {
    for (const one of many) yield Buffer.from(one);
  };
  const route = (body: object) => {
    const get = ownAnswer(() => Promise.resolve(body), [], {} as JsonBodyReader);
    return ({ request, response }: Answer) => get.call({}, request, response);
  };
  const text = { html: piece.repeat(9) };
  const list = { data: many.map((html) => ({ html })) };

  it.each<[string, (answer: Answer) => Promise<void>]>([
    ['pieces', ({ response }) => answerInPieces(response, 200, many)],
    ['a stream', ({ response }) => sendStream(Readable.from(async()), response)],
    ['one buffer', ({ response }) => sendPieces(response, [Buffer.alloc(4.5 * MB)])],
    ['an object', route(text)],
    ['a list', route(list)],
  ])('never cuts off %s whose client keeps the slowest pace while others wait', async (_, send) => {
    const answers = new LargeAnswers(100 * MB);
    const answer = new Answer();
    await answers.makeRoom(50 * MB, 'steady', answer.response);
    waitFor(answers, 51 * MB, 'other');
    const sent = send(answer);
    await answer.read(0.51 * MB);
    await sent;
    expect(answer.response.writableFinished).toBe(true);
  });

  it('never cuts off a CSV file whose client keeps the slowest pace while others wait', async () => {
    const answer = new Answer();
    const open = async function* () {
      yield* many;
    };
    const sent = sendCsv({ name: 'a.csv', accountId: 'steady', open }, answer);
    await turns();
    const others = [50, 49].map((size, at) => waitFor(emailLists, size * MB, `other ${at}`));
    await answer.read(0.51 * MB);
    await sent;
    expect(answer.response.writableFinished).toBe(true);
    for (const { response } of others) response.destroy();
    jest.advanceTimersByTime(30_000);
  });

  it('cuts off a client that stalls for five seconds while others wait, from the first piece on', async () => {
    const answers = new LargeAnswers(100 * MB);
    const answer = new Answer();
    await answers.makeRoom(50 * MB, 'stalled', answer.response);
    waitFor(answers, 51 * MB, 'other');
    jest.advanceTimersByTime(9_000);
    const sent = sendPieces(answer.response, many);
    await answer.read(10 * MB, 0.1);
    jest.advanceTimersByTime(4_000);
    expect(answer.response.destroyed).toBe(false);
    jest.advanceTimersByTime(2_000);
    await sent;
    expect(answer.response.destroyed).toBe(true);
  });

  it('does not take the time in which a piece is made for a pause of the client', async () => {
    const answers = new LargeAnswers(100 * MB);
    const answer = new Answer();
    await answers.makeRoom(50 * MB, 'quick', answer.response);
    waitFor(answers, 51 * MB, 'other');
    async function* slowlyMade() {
      for (const one of many.slice(0, 3)) {
        jest.advanceTimersByTime(9_000);
        yield one;
      }
    }
    const sent = sendPieces(answer.response, slowlyMade());
    await answer.read(10 * MB);
    await sent;
    expect(answer.response.writableFinished).toBe(true);
  });

  it('never cuts off a client that is quick, however long another has waited', async () => {
    const answers = new LargeAnswers(100 * MB);
    const answer = new Answer();
    await answers.makeRoom(50 * MB, 'quick', answer.response);
    waitFor(answers, 51 * MB, 'other');
    const sent = sendPieces(answer.response, Array<string>(60).fill(piece));
    await answer.read(2.1 * MB);
    await sent;
    expect(performance.now()).toBeGreaterThan(12_000);
    expect(answer.response.writableFinished).toBe(true);
  });
});
