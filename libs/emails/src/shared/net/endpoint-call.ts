import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { storableText } from '../text/storable-text.js';
import { CallError, callErrorOf, type Stage } from './call-error.js';
import { retryAfterOf } from './retry-after.js';

/** Bytes of an answer's body that are read. */
const MAX_BODY_BYTES = 16_384;
/** Interim answers (1xx) that are waited out. */
const MAX_INTERIM = 20;

export interface CallAnswer {
  status: number;
  /** Milliseconds that `retry-after` asks to wait. */
  retryAfter?: number;
  /** The first 16 kB, in a form that PostgreSQL takes. */
  body: string;
  /** Milliseconds, with that of the connection. */
  duration: number;
}

/** One call and its end: an answer or an error, once, with no timer, listener or open connection left behind. */
export class EndpointCall {
  private readonly startedAt = performance.now();
  private stage: Stage = 'looking up';
  private interim = 0;
  private answered = false;
  private ended = false;

  constructor(
    private readonly open: () => ClientRequest,
    private readonly timeout: number,
    private readonly connectTimeout: number,
  ) {}

  run(body: string, signal?: AbortSignal): Promise<CallAnswer> {
    return new Promise<CallAnswer>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const request = this.open();
      const timers = [this.timeout, this.connectTimeout].map((wait) =>
        setTimeout(() => fail(new CallError('timeout')), wait),
      );
      const end = (settle: () => void) => {
        if (this.ended) return;
        this.ended = true;
        for (const timer of timers) clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const fail = (error: unknown) => {
        end(() => reject(signal?.aborted ? signal.reason : callErrorOf(error, this.stage)));
        request.destroy();
      };
      const abort = () => fail(signal?.reason);
      signal?.addEventListener('abort', abort);
      request
        .on('socket', (socket) => this.watch(socket, request, () => clearTimeout(timers[1])))
        .on('information', () => {
          if (++this.interim > MAX_INTERIM) fail(new CallError('answer too large'));
        })
        .on('response', (response) => {
          this.answered = true;
          readStart(response).then((bytes) => {
            // What was not read, or not sent, cannot be told from the next answer or call.
            if (!response.complete || !request.writableFinished) request.destroy();
            end(() => resolve(this.answerOf(response, bytes)));
          }, fail);
        })
        .on('error', fail)
        // Not every end without an answer is an error to Node.
        .on('close', () => {
          if (!this.answered) fail(new Error('There was no answer.'));
        })
        .end(body);
    });
  }

  private watch(socket: Socket, request: ClientRequest, connected: () => void): void {
    const done = () => {
      this.stage = 'connected';
      connected();
    };
    if (request.reusedSocket) {
      done();
      return;
    }
    socket.once('connectionAttempt', () => {
      this.stage = 'connecting';
    });
    if (!(socket instanceof TLSSocket)) {
      socket.once('connect', done);
      return;
    }
    socket
      .once('connect', () => {
        this.stage = 'securing';
      })
      .once('secureConnect', done);
  }

  private answerOf({ statusCode = 0, headers }: IncomingMessage, bytes: Buffer): CallAnswer {
    const retryAfter = retryAfterOf(headers['retry-after']);
    return {
      status: statusCode,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      body: storableText(bytes.toString(), MAX_BODY_BYTES),
      duration: performance.now() - this.startedAt,
    };
  }
}

/** The first bytes of a body. Rejects when it ended before its end. */
function readStart(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = () => resolve(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES));
    response
      .on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_BODY_BYTES) done();
      })
      .on('end', done)
      .on('error', reject)
      .on('close', () => reject(new Error('The answer ended before its end.')));
  });
}
