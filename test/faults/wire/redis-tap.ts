import type { Moment, Tap, TapFactory } from '../../support/servers/proxy/tap.js';

/** A command and its reply (Redis documentation, "Redis serialization protocol specification", version 2). */
export interface RedisExchange {
  /** Command and arguments, each byte as one character. */
  parts: string[];
  /** Unchanged reply; empty before the answer. */
  reply: Buffer;
}

const CRLF = '\r\n';
const EMPTY = Buffer.alloc(0);

class RedisTap implements Tap {
  private fromClientRest: Buffer = EMPTY;
  private fromServerRest: Buffer = EMPTY;
  private readonly unanswered: RedisExchange[] = [];

  constructor(private readonly watch: (moment: Moment, exchange: RedisExchange) => Promise<void>) {}

  async fromClient(bytes: Buffer): Promise<Buffer> {
    this.fromClientRest = Buffer.concat([this.fromClientRest, bytes]);
    let done = 0;
    for (let end = endOf(this.fromClientRest, done); end > 0; end = endOf(this.fromClientRest, done)) {
      const exchange = { parts: readCommand(this.fromClientRest, done), reply: EMPTY };
      await this.watch('request', exchange);
      this.unanswered.push(exchange);
      done = end;
    }
    const out = this.fromClientRest.subarray(0, done);
    this.fromClientRest = this.fromClientRest.subarray(done);
    return out;
  }

  async fromServer(bytes: Buffer): Promise<Buffer> {
    this.fromServerRest = Buffer.concat([this.fromServerRest, bytes]);
    let done = 0;
    for (let end = endOf(this.fromServerRest, done); end > 0; end = endOf(this.fromServerRest, done)) {
      const exchange = this.unanswered.shift();
      if (exchange) {
        exchange.reply = this.fromServerRest.subarray(done, end);
        await this.watch('answer', exchange);
      }
      done = end;
    }
    const out = this.fromServerRest.subarray(0, done);
    this.fromServerRest = this.fromServerRest.subarray(done);
    return out;
  }
}

/** End of the value that starts at `at`, or -1 while it is incomplete. */
function endOf(buffer: Buffer, at: number): number {
  const lineEnd = buffer.indexOf(CRLF, at);
  if (at >= buffer.length || lineEnd < 0) return -1;
  const next = lineEnd + CRLF.length;
  const type = String.fromCharCode(buffer[at] ?? 0);
  const count = Number(buffer.toString('latin1', at + 1, lineEnd));
  if (type === '$') {
    const end = count < 0 ? next : next + count + CRLF.length;
    return end <= buffer.length ? end : -1;
  }
  if (type !== '*') return next;
  let end = next;
  for (let index = 0; index < count; index++) {
    end = endOf(buffer, end);
    if (end < 0) return -1;
  }
  return end;
}

function readCommand(buffer: Buffer, start: number): string[] {
  const parts: string[] = [];
  let at = buffer.indexOf(CRLF, start) + CRLF.length;
  const count = Number(buffer.toString('latin1', start + 1, at - CRLF.length));
  for (let index = 0; index < count; index++) {
    const lineEnd = buffer.indexOf(CRLF, at);
    const length = Number(buffer.toString('latin1', at + 1, lineEnd));
    const from = lineEnd + CRLF.length;
    parts.push(buffer.toString('latin1', from, from + length));
    at = from + length + CRLF.length;
  }
  return parts;
}

export const redisTap: TapFactory<RedisExchange> = (watch) => new RedisTap(watch);
