import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { storableText } from '../../shared/text/storable-text.js';
import { CallError, callErrorOf, type Stage } from './call-error.js';
import { retryAfterOf } from './retry-after.js';

/** Bytes of an answer's body that are read. */
const MAX_BODY_BYTES = 16_384;
/** Limit of interim answers (1xx). */
const MAX_INTERIM = 20;

export interface CallAnswer {
  status: number;
  /** Wait that `retry-after` asks for. Milliseconds. */
  retryAfter?: number;
  /** The first 16 kB, as text that PostgreSQL can store. */
  body: string;
  /** Milliseconds, including the connection. */
  duration: number;
}

/** Headers and body of a call. */
export interface CallMessage {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Milliseconds. */
export interface CallTimes {
  /** Timeout of the whole call, without the time of `message`. */
  timeout: number;
  /** Timeout of connection and TLS handshake, within the total. */
  connectTimeout: number;
}

/**
 * One call, which ends once, with an answer or an error, and leaves no timer, listener or open connection behind.
 *
 * A kept connection that ends, or receives data, before the call was sent on it is replaced by another: the endpoint
 * has received nothing of the call yet, and the data is not an answer to it.
 */
export class EndpointCall {
  /** Start of the call, moved by the time of `message` and of replaced connections. */
  private startedAt = 0;
  private stage: Stage = 'looking up';
  private interim = 0;
  private sent = false;
  private answered = false;
  private ended = false;
  private request: ClientRequest | undefined;
  private timer: NodeJS.Timeout | undefined;
  private settle: { resolve: (answer?: CallAnswer) => void; reject: (error: unknown) => void };
  private readonly abort = () => this.end(() => this.settle.reject(this.signal?.reason));

  /**
   * @param open begins a request, on a kept connection or a new one
   * @param message called once there is a connection; its result is sent at once. Undefined: nothing is sent
   */
  constructor(
    private readonly open: () => ClientRequest,
    private readonly message: () => Promise<CallMessage | undefined>,
    private readonly times: CallTimes,
    private readonly signal?: AbortSignal,
  ) {
    this.settle = { resolve: () => {}, reject: () => {} };
  }

  /** Resolves with undefined when `message` returned nothing. */
  run(): Promise<CallAnswer | undefined> {
    return new Promise((resolve, reject) => {
      if (this.signal?.aborted) {
        reject(this.signal.reason);
        return;
      }
      this.settle = { resolve, reject };
      this.signal?.addEventListener('abort', this.abort);
      this.connect();
    });
  }

  private connect(): void {
    this.startedAt = performance.now();
    this.stage = 'looking up';
    this.limit(Math.min(this.times.timeout, this.times.connectTimeout));
    const request = this.open();
    const fail = (error: unknown) => this.fail(request, error);
    this.request = request;
    request
      .on('socket', (socket) => this.watch(socket, request))
      .on('information', () => {
        if (++this.interim > MAX_INTERIM) fail(new CallError('answer too large'));
      })
      .on('response', (response) => {
        if (this.sent) this.read(request, response);
        else fail(new CallError('invalid answer'));
      })
      .on('error', fail)
      // Node does not report every missing answer as an error.
      .on('close', () => {
        if (!this.answered) fail(new Error('There was no answer.'));
      });
  }

  private watch(socket: Socket, request: ClientRequest): void {
    // Node emits no response for half a head.
    socket.once('data', () => {
      if (!this.sent) this.fail(request, new CallError('invalid answer'));
    });
    const connected = () => {
      this.stage = 'connected';
      void this.send(request);
    };
    if (request.reusedSocket) {
      connected();
      return;
    }
    socket.once('connectionAttempt', () => {
      this.stage = 'connecting';
    });
    if (!(socket instanceof TLSSocket)) {
      socket.once('connect', connected);
      return;
    }
    socket
      .once('connect', () => {
        this.stage = 'securing';
      })
      .once('secureConnect', connected);
  }

  private async send(request: ClientRequest): Promise<void> {
    const isCurrent = () => !this.ended && this.request === request;
    const asked = performance.now();
    clearTimeout(this.timer);
    try {
      const message = await this.message();
      if (!isCurrent()) return;
      if (!message) {
        this.end(() => this.settle.resolve());
        return;
      }
      this.sent = true;
      this.startedAt += performance.now() - asked;
      this.limit(this.times.timeout);
      for (const [name, value] of Object.entries(message.headers)) request.setHeader(name, value);
      request.end(message.body);
    } catch (error) {
      if (isCurrent()) this.end(() => this.settle.reject(error));
    }
  }

  /** Sets the timeout to this many milliseconds after the start. */
  private limit(milliseconds: number): void {
    clearTimeout(this.timer);
    const left = this.startedAt + milliseconds - performance.now();
    this.timer = setTimeout(() => this.endWith(new CallError('timeout')), Math.max(left, 0));
  }

  private read(request: ClientRequest, response: IncomingMessage): void {
    this.answered = true;
    readStart(response).then(
      (bytes) => {
        // Unread or unsent bytes would mix with the next answer or call.
        const isWhole = response.complete && request.writableFinished;
        this.end(() => this.settle.resolve(this.answerOf(response, bytes)), isWhole);
      },
      (error: unknown) => this.fail(request, error),
    );
  }

  private fail(request: ClientRequest, error: unknown): void {
    if (this.ended || request !== this.request) return;
    if (this.sent || !request.reusedSocket) {
      this.endWith(error);
      return;
    }
    request.destroy();
    this.connect();
  }

  private endWith(error: unknown): void {
    this.end(() => this.settle.reject(callErrorOf(error, this.stage)));
  }

  private end(settle: () => void, keepsConnection = false): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.abort);
    if (!keepsConnection) this.request?.destroy();
    settle();
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

/** The first bytes of a body. Rejects when it is cut off. */
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
