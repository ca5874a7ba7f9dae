/**
 * An SMTP server that takes everything and keeps nothing, as cheap as it can be: a process of its own. It can be as far
 * away as a link is long.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { reply } from '../support/child.js';

/** How far away the server is, and what it announces, for connections that come from now on. */
export interface Link {
  /** Milliseconds of a round trip. */
  delay: number;
  /** RFC 2920. */
  pipelining: boolean;
  /** Milliseconds until it answers RCPT for a domain whose name begins with `hangs`. Without PIPELINING. Default: none. */
  hang?: number;
}

/** `first` and `last`: when a message was taken, in milliseconds of one clock. */
export interface SinkCount {
  count: number;
  first: number;
  last: number;
  /** The most connections open at the same time. */
  connections: number;
}

/** Milliseconds within which what is received belongs to one flight. */
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

/** Answers go their way together when they are to one flight, and arrive a round trip after it was sent. */
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
  const { delay, hang = 0 } = link;
  const answers = answersOf(link);
  const say = delay === 0 ? (text: string) => socket.write(text) : farAway(socket, delay);
  let inContent = false;
  let leaving = false;
  let hangs = false;
  let rest = NOTHING;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  taken.connections = Math.max(taken.connections, ++open);
  socket.on('close', () => open--);
  // Until a connection stands takes a round trip, and until the client is heard from and greeted another.
  if (delay === 0) say('220 sink\r\n');
  else setTimeout(say, delay, '220 sink\r\n');

  /** Reads one command, or content to its end. Resolves to where it ended, or to nothing when there is more to come. */
  const read = (bytes: Buffer, from: number): { to: number; answer: string } | undefined => {
    const end = bytes.indexOf(inContent ? END : '\r\n', from);
    if (end < 0) return undefined;
    if (inContent) {
      inContent = false;
      taken.last = performance.now();
      if (taken.count++ === 0) taken.first = taken.last;
      return { to: end + END.length, answer: '250 taken\r\n' };
    }
    const verb = bytes.toString('latin1', from, from + 4).toUpperCase();
    inContent = verb === 'DATA';
    leaving ||= verb === 'QUIT';
    hangs = hang > 0 && verb === 'RCPT' && bytes.subarray(from, end).includes(HANGS);
    // The dot may be all that comes: the line's own end begins the content.
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
    else if (answer !== '') say(answer);
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
