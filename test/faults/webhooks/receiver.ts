import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../../support/basics/cleanup.js';
import type { Journal } from '../journal.js';

/** One line of the ledger: a request as read, or the answer that is sent next. */
export type ReceiverEntry = Receipt | Reply;

export interface Receipt {
  kind: 'request';
  /** Number of the request. */
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Id of the endpoint, which is its path. */
  endpoint: string;
  /** `svix-id`. */
  id: string;
  type: string;
  /** `data.email_id`. */
  email: string;
  /** `created_at` of the event, as sent. */
  createdAt: string;
  /** SHA-256 of the body. */
  hash: string;
  /** True if a signature fits one of the endpoint's secrets. */
  signed: boolean;
}

export interface Reply {
  kind: 'answer';
  number: number;
  at: number;
  /** Status of a complete answer, or the kind of deviation. */
  answer: number | Manners['kind'];
}

/** Answer to a request. Empty: 200. */
export type Manners =
  | { kind: 'say'; status: number }
  /** Delays the answer; then 200. */
  | { kind: 'hold'; reached: () => void; released: Promise<void> }
  /** Reads the request and resets the connection. */
  | { kind: 'reset' }
  /** 200 with a body that breaks off. */
  | { kind: 'short' }
  /** Bytes that are not HTTP. */
  | { kind: 'garbage' }
  /** Sends its headers, and its body byte by byte. */
  | { kind: 'trickle' }
  /** 200 with a body of 10 MB. */
  | { kind: 'flood' };

/** Interval between the bytes of a slow answer. Milliseconds. */
const TRICKLE = 200;
const FLOOD = Buffer.alloc(10_000_000, 'zq');

/** A receiver of webhooks that logs and syncs the request, then its answer, and only then answers. */
export class Receiver {
  private number = 0;
  private readonly secrets = new Map<string, string>();
  private manners: (receipt: Receipt) => Manners | undefined = () => undefined;

  private constructor(
    private readonly server: Server,
    private readonly journal: Journal<ReceiverEntry>,
  ) {}

  static async start(journal: Journal<ReceiverEntry>): Promise<Receiver> {
    const server = createServer((request, response) => {
      receiver.take(request, response).catch(() => request.socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver: Receiver = new Receiver(server, journal);
    afterFile(() => receiver.close());
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Sets the secret that signs an endpoint's requests. */
  trust(endpoint: string, secret: string): void {
    this.secrets.set(endpoint, secret);
  }

  /** Chooses the answers from now on; undefined: 200. */
  behave(manners: (receipt: Receipt) => Manners | undefined = () => undefined): void {
    this.manners = manners;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((closed) => this.server.close(closed));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const receipt = this.receiptOf(request, Buffer.concat(chunks));
    await this.journal.append(receipt);
    const manners = this.manners(receipt);
    if (manners?.kind === 'hold') {
      manners.reached();
      await manners.released;
    }
    const answer = manners === undefined || manners.kind === 'hold' ? 200 : wordOf(manners);
    await this.journal.append({ kind: 'answer', number: receipt.number, at: Date.now(), answer });
    reply(manners, response);
  }

  private receiptOf({ headers, url = '' }: IncomingMessage, body: Buffer): Receipt {
    this.number += 1;
    const endpoint = url.slice(1);
    const { type = '', created_at = '', data = {} } = JSON.parse(body.toString('utf8'));
    const id = String(headers['svix-id']);
    return {
      kind: 'request',
      number: this.number,
      at: Date.now(),
      endpoint,
      id,
      type,
      email: data.email_id ?? '',
      createdAt: created_at,
      hash: createHash('sha256').update(body).digest('base64url'),
      signed: isSigned(headers, id, body, this.secrets.get(endpoint)),
    };
  }
}

function wordOf(manners: Manners): Reply['answer'] {
  return manners.kind === 'say' ? manners.status : manners.kind;
}

function reply(manners: Manners | undefined, response: ServerResponse): void {
  const { socket } = response;
  switch (manners?.kind) {
    case 'reset':
      socket?.resetAndDestroy();
      return;
    case 'short':
      socket?.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 1000\r\n\r\nzq');
      return;
    case 'garbage':
      socket?.end('\u0000\u00ffzq zq zq\r\n\r\n\u0000');
      return;
    case 'trickle':
      trickle(response);
      return;
    case 'flood':
      response.writeHead(200).end(FLOOD);
      return;
    case 'say':
      response.writeHead(manners.status).end();
      return;
    default:
      response.writeHead(200).end('ok');
  }
}

function trickle(response: ServerResponse): void {
  response.writeHead(500, { 'content-length': '1000' });
  const timer = setInterval(() => response.write('z'), TRICKLE);
  response.once('close', () => clearInterval(timer));
}

/** Standard Webhooks, "Signature scheme": of `svix-*`; `webhook-*` must be equal. */
function isSigned(headers: IncomingMessage['headers'], id: string, body: Buffer, secret: string | undefined): boolean {
  if (secret === undefined) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const text = Buffer.concat([Buffer.from(`${id}.${headers['svix-timestamp']}.`), body]);
  const expected = createHmac('sha256', key).update(text).digest();
  const given = String(headers['svix-signature']).split(' ');
  const twins = ['id', 'timestamp', 'signature'].every(
    (name) => headers[`svix-${name}`] === headers[`webhook-${name}`],
  );
  return twins && given.some((one) => equal(Buffer.from(one.replace(/^v1,/, ''), 'base64'), expected));
}

function equal(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
