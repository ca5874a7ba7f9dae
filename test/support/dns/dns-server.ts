import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { decode, encode, encodingLength, type Packet } from 'dns-packet';
import { afterFile } from '../basics/cleanup.js';
import { freePort } from '../basics/free-port.mjs';
import { answerFrom, type DnsZone, delayOf, faultOf } from './dns-records.js';

export type { DnsFault, DnsRecords, DnsZone } from './dns-records.js';

/** A query that arrived. `name` as it was written. */
export interface DnsQuery {
  name: string;
  type: string;
  by: 'udp' | 'tcp';
}

const HOST = '127.0.0.1';
/** By UDP, unless the query allows more (RFC 6891 section 6.2.3). Bytes. */
const UDP_LIMIT = 512;
/** A message by TCP has its length in two bytes (RFC 1035 section 4.2.2). */
const TCP_LIMIT = 65_535;
/** Codes of RFC 1035 section 4.1.1. */
const CODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };
const RECURSION_AVAILABLE = 1 << 7;
const TRUNCATED = 1 << 9;
/** Conflicts of a free port with other programs until the start fails. */
const ATTEMPTS = 20;

/**
 * A DNS server on 127.0.0.1, by UDP and TCP on one port. A longer answer than a query allows is truncated, and is there
 * by TCP. Records may change at any time.
 */
export class DnsServer {
  /** In order of arrival. */
  readonly queries: DnsQuery[] = [];
  private readonly connections = new Set<Socket>();
  private readonly delays = new Set<NodeJS.Timeout>();
  private closed: Promise<void> | undefined;

  private constructor(
    /** Names and their records; others do not exist. To be changed by the test. */
    public zone: DnsZone,
    readonly port: number,
    private readonly udp: UdpSocket,
    private readonly tcp: Server,
  ) {
    udp.on('message', (bytes, peer) => this.take(bytes, 'udp', (answer) => udp.send(answer, peer.port, peer.address)));
    tcp.on('connection', (socket) => this.serve(socket));
  }

  /** Starts a server with these records; it is closed after the test file, if not before. */
  static async start(zone: DnsZone = {}): Promise<DnsServer> {
    for (let attempt = 1; ; attempt++) {
      const port = await freePort();
      const [udp, tcp] = [createSocket('udp4'), createServer()];
      try {
        await Promise.all([
          once(udp.bind({ port, address: HOST, exclusive: true }), 'listening'),
          once(tcp.listen(port, HOST), 'listening'),
        ]);
        const server = new DnsServer(zone, port, udp, tcp);
        afterFile(() => server.close());
        return server;
      } catch (error) {
        await Promise.allSettled([end(udp), end(tcp)]);
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** For `Resolver.setServers` and `DNS_SERVERS`. */
  get address(): string {
    return `${HOST}:${this.port}`;
  }

  /** The host is away from now on: connections are refused. Any number of calls. */
  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  private async end(): Promise<void> {
    for (const delay of this.delays) clearTimeout(delay);
    for (const socket of this.connections) socket.destroy();
    await Promise.all([end(this.udp), end(this.tcp)]);
  }

  private serve(socket: Socket): void {
    this.connections.add(socket);
    socket.on('close', () => this.connections.delete(socket)).on('error', () => socket.destroy());
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const end = 2 + received.readUInt16BE();
        this.take(received.subarray(2, end), 'tcp', (answer) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(answer.length);
          socket.write(Buffer.concat([length, answer]));
        });
        received = received.subarray(end);
      }
    });
  }

  private take(bytes: Buffer, by: DnsQuery['by'], send: (answer: Buffer) => void): void {
    const query = readQuery(bytes);
    const question = query?.questions?.[0];
    if (!query || !question) return;
    const { name, type } = question;
    this.queries.push({ name, type, by });
    const answer = this.answer(query, by);
    if (!answer) return;
    const delay = setTimeout(
      () => {
        this.delays.delete(delay);
        if (!this.closed) send(answer);
      },
      delayOf(this.zone, name),
    );
    this.delays.add(delay);
  }

  private answer(query: Packet, by: DnsQuery['by']): Buffer | undefined {
    const { name, type } = query.questions![0]!;
    const fault = faultOf(this.zone, name, type);
    if (fault === 'silence') return undefined;
    if (fault === 'truncated, then silence') return by === 'udp' ? write(query, { flags: TRUNCATED }) : undefined;
    if (fault === 'garbage') return Buffer.from('This is no DNS message, whatever its length says.');
    if (fault === 'SERVFAIL' || fault === 'REFUSED') return write(query, { flags: CODES[fault] });

    const { code, answers } = answerFrom(this.zone, name, type);
    const id = fault === 'wrong id' ? (query.id! + 1) % 65_536 : query.id!;
    const limit = by === 'udp' ? udpLimit(query) : TCP_LIMIT;
    if (encodingLength({ ...query, answers }) <= limit) return write(query, { id, flags: CODES[code], answers });
    return write(query, { id, flags: by === 'udp' ? TRUNCATED : CODES.SERVFAIL });
  }
}

function readQuery(bytes: Buffer): Packet | undefined {
  try {
    const packet = decode(bytes);
    return packet.type === 'query' ? packet : undefined;
  } catch {
    return undefined;
  }
}

const optionsOf = (query: Packet) => query.additionals?.find((record) => record.type === 'OPT');

const udpLimit = (query: Packet): number => Math.max(UDP_LIMIT, optionsOf(query)?.udpPayloadSize ?? 0);

function write(query: Packet, { flags = 0, ...rest }: Partial<Packet>): Buffer {
  const options = optionsOf(query);
  return encode({
    id: query.id,
    type: 'response',
    // Recursion was desired: the bit is repeated (RFC 1035 section 4.1.1).
    flags: flags | RECURSION_AVAILABLE | ((query.flags ?? 0) & (1 << 8)),
    questions: query.questions,
    additionals: options ? [{ ...options, options: [] }] : [],
    ...rest,
  });
}

function end(server: { close(done: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => {
    try {
      server.close(() => resolve());
    } catch {
      // It was not open.
      resolve();
    }
  });
}
