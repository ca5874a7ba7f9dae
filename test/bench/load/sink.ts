/**
 * A minimal SMTP server in a separate process, which accepts everything and stores nothing. It can simulate the latency
 * of a link.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { reply } from '../support/child.js';

/** Latency and extensions of the server for new connections. */
export interface Link {
  /** Milliseconds of a round trip. */
  delay: number;
  /** RFC 2920. */
  pipelining: boolean;
  /** Milliseconds until it answers RCPT for a domain whose name begins with `hangs`. Without PIPELINING. Default: none. */
  hang?: number;
  /** Milliseconds until it answers the end of a message. Without PIPELINING. Default: none. */
  hold?: number;
}

/** `first` and `last`: when a message was accepted, in milliseconds of one clock. */
export interface SinkCount {
  count: number;
  first: number;
  last: number;
  /** Peak of open connections. */
  connections: number;
}

/** Time within which received bytes belong to one flight. Milliseconds. */
const FLIGHT = 1;
const END = Buffer.from('\r\n.\r\n');
const NOTHING = Buffer.alloc(0);
const HANGS = Buffer.from('@hangs');
const EXTENSIONS = '250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 100000000\r\n';

let link: Link = { delay: 0, pipelining: false };
let open = 0;
let taken: SinkCount = nothingTaken();

function nothingTaken(): SinkCount {
  return { count: 0, first: 0, last: 0, connections: open };
}

function answersOf({ pipelining }: Link): Record<string, string> {
  return {
    EHLO: `250-sink\r\n${pipelining ? '250-PIPELINING\r\n' : ''}${EXTENSIONS}`,
    DATA: '354 go ahead\r\n',
    QUIT: '221 bye\r\n',
  };
}

/** Replies to one flight are sent together, and arrive a round trip after it was sent. */
function farAway(socket: Socket, delay: number): (text: string) => void {
  let flight: { text: string; began: number } | undefined;
  return (text) => {
    const now = performance.now();
    if (flight !== undefined && now - flight.began < FLIGHT) {
      flight.text += text;
      return;
    }
    const mine = { text, began: now };
    flight = mine;
    setTimeout(() => socket.write(mine.text), delay);
  };
}

function serve(socket: Socket): void {
  const { delay, hang = 0, hold = 0 } = link;
  const answers = answersOf(link);
  const say = delay === 0 ? (text: string) => socket.write(text) : farAway(socket, delay);
  let inContent = false;
  let leaving = false;
  let hangs = false;
  let holds = false;
  let rest = NOTHING;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  taken.connections = Math.max(taken.connections, ++open);
  socket.on('close', () => open--);
  // Connecting takes a round trip, and the greeting another one.
  if (delay === 0) say('220 sink\r\n');
  else setTimeout(say, delay, '220 sink\r\n');

  /** Reads one command, or content to its end. Resolves to its end, or to undefined when more must arrive. */
  const read = (bytes: Buffer, from: number): { to: number; answer: string } | undefined => {
    const end = bytes.indexOf(inContent ? END : '\r\n', from);
    if (end < 0) return undefined;
    if (inContent) {
      inContent = false;
      holds = hold > 0;
      taken.last = performance.now();
      if (taken.count++ === 0) taken.first = taken.last;
      return { to: end + END.length, answer: '250 taken\r\n' };
    }
    const verb = bytes.toString('latin1', from, from + 4).toUpperCase();
    inContent = verb === 'DATA';
    leaving ||= verb === 'QUIT';
    hangs = hang > 0 && verb === 'RCPT' && bytes.subarray(from, end).includes(HANGS);
    // The content may consist of the dot alone, because it starts with the preceding line end.
    return { to: inContent ? end : end + 2, answer: answers[verb] ?? '250 ok\r\n' };
  };

  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let answer = '';
    let from = 0;
    for (let part = read(bytes, from); part !== undefined; part = read(bytes, from)) {
      answer += part.answer;
      from = part.to;
    }
    rest = Buffer.from(bytes.subarray(inContent ? Math.max(from, bytes.length - END.length + 1) : from));
    if (answer !== '' && hangs) setTimeout(say, hang, answer);
    else if (answer !== '' && holds) setTimeout(say, hold, answer);
    else if (answer !== '') say(answer);
    holds = false;
    if (leaving) setTimeout(() => socket.end(), delay);
  });
}

const server = createServer(serve).listen(0, '127.0.0.1', () =>
  reply({ port: (server.address() as AddressInfo).port }),
);

process.on('message', (message: 'count' | 'reset' | Link) => {
  if (message === 'reset') taken = nothingTaken();
  else if (message !== 'count') link = message;
  reply(taken);
});
