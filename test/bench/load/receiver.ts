/**
 * A minimal receiver of webhooks in a separate process, which answers 200 and stores nothing. Requests to `/slow` are
 * answered late, those to `/hang` never.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { reply } from '../support/child.js';
import { summarize, type Timings } from './timings.js';

/** Requests since the last reset; times from the event to its request, of all paths except `/slow` and `/hang`. */
export interface Received extends Timings {
  count: number;
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
/** Delay of late answers. Milliseconds. */
const LATE = 14_000;
const CREATED_AT = '"created_at":"';
const TIME = '2026-11-23T01:00:00.000Z'.length;

let times: number[] = [];

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = rest.indexOf('\r\n\r\n');
      if (head < 0) return;
      const headers = rest.toString('latin1', 0, head);
      const end = head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? 0);
      if (rest.length < end) return;
      const isSlow = headers.startsWith('POST /slow ');
      const hangs = headers.startsWith('POST /hang ');
      if (!isSlow && !hangs) note(rest.toString('latin1', head + 4, end));
      rest = rest.subarray(end);
      if (hangs) continue;
      if (isSlow) setTimeout(() => socket.write(OK), LATE);
      else socket.write(OK);
    }
  });
}

function note(body: string): void {
  const at = body.indexOf(CREATED_AT) + CREATED_AT.length;
  times.push(Date.now() - Date.parse(body.slice(at, at + TIME)));
}

const server = createServer(serve).listen(0, '127.0.0.1', () =>
  reply({ port: (server.address() as AddressInfo).port }),
);

process.on('message', (message: 'count' | 'reset') => {
  if (message === 'reset') times = [];
  reply({ count: times.length, ...summarize(times) } satisfies Received);
});
