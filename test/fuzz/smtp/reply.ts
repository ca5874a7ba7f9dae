import type { Random } from '../../support/basics/random.js';

export type Stage = 'greeting' | 'ehlo' | 'mail' | 'rcpt' | 'data' | 'dot' | 'rset' | 'quit';

/** A server's reaction to one command. */
export interface Reply {
  /** Its oddity, for the summary. */
  kind: string;
  code: number;
  bytes: Buffer;
  /** Sent bytes; fewer if the reply is cut. */
  upTo: number;
  /** Bytes up to the end of the actual reply. */
  own: number;
  /** Parts in which they are sent, with a pause before each. Milliseconds. */
  parts: number;
  pause: number;
  end: 'none' | 'close' | 'reset';
  /** True if it is a reply to the command, and the only one. */
  isInStep: boolean;
}

/**
 * Texts of a server's replies: different for each command, the same for all, or the same for a message and a recipient.
 */
export type Words = 'own' | 'same' | 'recipient';

const USUAL: Readonly<Record<Stage, string>> = {
  greeting: '220 random.test ESMTP',
  ehlo: '250 random.test',
  mail: '250 2.1.0 sender ok',
  rcpt: '250 2.1.5 recipient ok',
  data: '354 go on',
  dot: '250 2.0.0 taken',
  rset: '250 2.0.0 forgotten',
  quit: '221 2.0.0 bye',
};

/** Weights by kind. */
const IN_STEP = {
  later: 4,
  no: 1,
  closing: 4,
  'refused and closed': 4,
  'cut and closed': 3,
  'cut and reset': 3,
  'said and closed': 3,
  'said and reset': 2,
  'and that it closes': 4,
  'closed without a word': 2,
  'reset without a word': 2,
  'many lines': 3,
  'odd bytes': 3,
  slow: 4,
  silence: 1,
};
/** Reactions of a server that has lost count, or does not know the command. */
const OUT_OF_STEP = { swallowed: 3, twice: 3, 'of another stage': 3, garbage: 3, 'and one more': 3 };
/** The subset that is possible before an envelope. */
const OF_CONNECTION = [
  'closing',
  'and that it closes',
  'cut and closed',
  'cut and reset',
  'closed without a word',
  'slow',
  'many lines',
];
/** RFC 5321 section 3.8: a server may send 421 at any time. Some send 221 instead. */
const CLOSINGS = ['421 4.7.0 too many errors', '421 4.3.2 closing', '221 2.0.0 bye'];
/** Longer than a client's timeout. Milliseconds. */
const FOREVER = 60_000;

export function usualLine(stage: Stage, words: Words): string {
  const usual = USUAL[stage];
  if (words === 'same' && usual.startsWith('250')) return '250 OK';
  return words === 'recipient' && stage === 'dot' ? '250 2.1.5 Ok' : usual;
}

/** The reply of a correct server, sometimes in parts and delayed. */
export function usualReply(random: Random, line: string): Reply {
  const bytes = Buffer.from(`${line}\r\n`);
  const isSplit = random.chance(0.2);
  const parts = isSplit ? random.int(2, 4) : 1;
  const pause = isSplit || random.chance(0.1) ? random.int(0, 30) : 0;
  const code = Number(line.slice(0, 3));
  return { kind: 'usual', code, ...withBytes(bytes), parts, pause, end: 'none', isInStep: true };
}

/** The same reply, followed in the same packet by an unsolicited 421. */
export function andClosing(reply: Reply, random: Random): Reply {
  const bytes = Buffer.concat([reply.bytes, Buffer.from(`${random.pick(CLOSINGS)}\r\n`)]);
  return { ...reply, kind: 'and that it closes', ...withBytes(bytes), own: reply.bytes.length, end: 'close' };
}

/** Any other reply to a command of this stage. */
export function oddReply(stage: Stage, random: Random, isInStep: boolean, line: string): Reply {
  const isOfConnection = ['greeting', 'ehlo', 'quit', 'rset'].includes(stage);
  const weights = { ...IN_STEP, ...(isInStep || isOfConnection ? {} : OUT_OF_STEP) };
  const kinds = Object.entries(weights).filter(([kind]) => !isOfConnection || OF_CONNECTION.includes(kind));
  const kind = random.pick(kinds.flatMap(([name, weight]) => Array<string>(weight).fill(name)));
  return { ...make(kind, isOfConnection, random, line), kind };
}

function make(kind: string, isOfConnection: boolean, random: Random, line: string): Reply {
  const usual = usualReply(random, line);
  const say = (other: string) => usualReply(random, other);
  const code = usual.code;
  const end = kind.includes('reset') ? 'reset' : 'close';
  switch (kind) {
    case 'later':
      return say(random.pick(['450 4.2.1 busy', '451 4.3.0 later', '452 4.2.2 full']));
    case 'no':
      return say(random.pick(['550 5.1.1 nobody', '554 5.0.0 no', '553 5.1.3 not here']));
    case 'closing':
      return { ...say('421 4.3.2 closing'), end };
    case 'refused and closed':
      return { ...say(random.pick(['550 5.7.1 go away', '450 4.7.0 not you'])), end };
    case 'and that it closes': {
      const refusals = isOfConnection ? [] : ['450 4.2.1 busy', '550 5.1.1 nobody'];
      return andClosing(say(random.pick([line, line, ...refusals])), random);
    }
    case 'cut and closed':
    case 'cut and reset':
      return { ...usual, upTo: random.int(1, usual.bytes.length - 1), end };
    case 'said and closed':
    case 'said and reset':
      return { ...usual, end };
    case 'closed without a word':
    case 'reset without a word':
      return { ...usual, upTo: 0, end };
    case 'many lines':
      return say(`${`${code}-${'x'.repeat(random.int(0, 60))}\r\n`.repeat(random.int(1, 50))}${code} end`);
    case 'odd bytes':
      return { ...usual, ...withBytes(Buffer.concat([Buffer.from(`${code} `), noise(random), Buffer.from('\r\n')])) };
    case 'slow':
      return { ...usual, parts: random.int(1, usual.bytes.length), pause: random.int(1, 20) };
    case 'silence':
      return { ...usual, pause: FOREVER };
    case 'swallowed':
      return { ...usual, upTo: 0, isInStep: false };
    case 'twice':
      return { ...usual, ...withBytes(Buffer.concat([usual.bytes, usual.bytes])), isInStep: false };
    case 'of another stage':
      return { ...say(random.pick(['354 go on', '250 ok', '220 hello', '221 bye', '334 what'])), isInStep: false };
    case 'garbage':
      return { ...usual, ...withBytes(Buffer.concat([noise(random), Buffer.from('\r\n')])), isInStep: false };
    case 'and one more':
      return { ...usual, ...withBytes(Buffer.concat([usual.bytes, Buffer.from('550 5.0.0 no\r\n')])), isInStep: false };
    default:
      throw new Error(`There is no reply of the kind ${kind}.`);
  }
}

/** Any bytes except line ends. */
function noise(random: Random): Buffer {
  const bytes = Array.from({ length: random.int(1, 300) }, () => random.int(0, 255));
  return Buffer.from(bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d));
}

function withBytes(bytes: Buffer): Pick<Reply, 'bytes' | 'upTo' | 'own'> {
  return { bytes, upTo: bytes.length, own: bytes.length };
}
