/** An SMTP server that takes everything and keeps nothing, as cheap as it can be: a process of its own. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { reply } from '../support/child.js';

/** `first` and `last`: when a message was taken, in milliseconds of one clock. */
export interface SinkCount {
  count: number;
  first: number;
  last: number;
}

const END = Buffer.from('\r\n.\r\n');
const ANSWERS: Record<string, string> = {
  EHLO: '250-sink\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 100000000\r\n',
  DATA: '354 go ahead\r\n',
  QUIT: '221 bye\r\n',
};

let taken: SinkCount = { count: 0, first: 0, last: 0 };

function serve(socket: Socket): void {
  let inData = false;
  let rest = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.write('220 sink\r\n');
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    if (inData) {
      const end = bytes.lastIndexOf(END);
      if (end < 0) {
        rest = Buffer.from(bytes.subarray(Math.max(0, bytes.length - 4)));
        return;
      }
      inData = false;
      rest = Buffer.alloc(0);
      taken.last = performance.now();
      if (taken.count++ === 0) taken.first = taken.last;
      socket.write('250 taken\r\n');
      return;
    }
    let from = 0;
    for (let end = bytes.indexOf('\r\n', from); end >= 0; end = bytes.indexOf('\r\n', from)) {
      const verb = bytes.toString('latin1', from, from + 4).toUpperCase();
      from = end + 2;
      socket.write(ANSWERS[verb] ?? '250 ok\r\n');
      if (verb === 'DATA') inData = true;
      if (verb === 'QUIT') socket.end();
    }
    rest = Buffer.from(bytes.subarray(from));
  });
}

const server = createServer(serve).listen(0, '127.0.0.1', () =>
  reply({ port: (server.address() as AddressInfo).port }),
);

process.on('message', (message: 'count' | 'reset') => {
  if (message === 'reset') taken = { count: 0, first: 0, last: 0 };
  reply(taken);
});
