import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../../support/basics/cleanup.js';
import type { Journal } from '../journal.js';

/** One line of the ledger: a request as it was read, or what is about to be answered to it. */
export type ReceiverEntry = Receipt | Reply;

export interface Receipt {
  kind: 'request';
  /** Number of the request. */
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Of the endpoint, which is its path. */
  endpoint: string;
  /** `svix-id`. */
  id: string;
  type: string;
  /** `data.email_id`. */
  email: string;
  /** `created_at` of the event, as it was said. */
  createdAt: string;
  /** SHA-256 of the body. */
  hash: string;
  /** Whether a signature fits one of the endpoint's secrets. */
  signed: boolean;
}

export interface Reply {
  kind: 'answer';
  number: number;
  at: number;
  /** The status of a whole answer; else what was done instead of one. */
  answer: number | Manners['kind'];
}

/** How a request is answered. Without any of it: 200. */
export type Manners =
  | { kind: 'say'; status: number }
  /** Keeps the caller waiting; then 200. */
  | { kind: 'hold'; reached: () => void; released: Promise<void> }
  /** Reads it all and resets the connection. */
  | { kind: 'reset' }
  /** 200 with a body that breaks off. */
  | { kind: 'short' }
  /** What is no HTTP. */
  | { kind: 'garbage' }
  /** Says its headers, and a byte of its body now and then. */
  | { kind: 'trickle' }
  /** 200 with 10 MB behind it. */
  | { kind: 'flood' };

/** How often a byte comes that is one of many. Milliseconds. */
const TRICKLE = 200;
const FLOOD = Buffer.alloc(10_000_000, 'zq');

/** A receiver of webhooks that writes down and syncs what it reads, then what it answers, and only then answers. */
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

  /** Tells the secret by which an endpoint's requests are signed. */
  trust(endpoint: string, secret: string): void {
    this.secrets.set(endpoint, secret);
  }

  /** From now on; where it gives nothing, 200. */
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

/** Standard Webhooks, "Signature scheme": of `svix-*`, and `webhook-*` must say the same. */
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
