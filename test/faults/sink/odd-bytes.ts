import type { Random } from '../../support/basics/random.js';

/** Bytes that a server may send instead of a reply, or within one. */
export interface OddReply {
  bytes: Buffer;
  /** As single bytes. */
  apart?: boolean;
}

const CRLF = Buffer.from('\r\n');
const EMOJI = Buffer.from('😀');
/** Likely points to cut a reply. */
const CUT = 500;
const MEGABYTE = 1_000_000;
const BREAKS: readonly number[] = [0x0a, 0x0d];

/**
 * Unusual replies. Those with a code begin with `code`, so that most of them have the intended meaning. Each call
 * returns all kinds once, with other details.
 */
export function oddReplies(code: string, random: Random): OddReply[] {
  const line = (...parts: (string | Buffer)[]) => ({
    bytes: Buffer.concat([...parts.map((p) => Buffer.from(p)), CRLF]),
  });
  const noise = (length: number) =>
    Buffer.from(Array.from({ length }, () => random.int(0, 255)).filter((byte) => !BREAKS.includes(byte)));
  return [
    ...everyByte(random).map((bytes) => line(`${code} a`, bytes, 'z')),
    ...[-4, -3, -2, -1, 0, 1].map((shift) => line(`${code} `, 'x'.repeat(CUT - 4 + shift), EMOJI, EMOJI)),
    // A truncated code point, a surrogate in UTF-8, an overlong NUL.
    line(`${code} `, EMOJI.subarray(0, random.int(1, 3))),
    line(`${code} `, Buffer.from('eda080', 'hex'), 'x', Buffer.from('c080', 'hex')),
    line(`${code} `, noise(random.int(1, 2_000))),
    line(noise(random.int(1, 2_000))),
    line(`${code} `, 'x'.repeat(MEGABYTE)),
    line(`${code} `, 'x'.repeat(2 * MEGABYTE)),
    line(`${code} one\rtwo\r${code} three\r`),
    { bytes: Buffer.from(`${code} one\n`) },
    {
      bytes: Buffer.from(
        `${`${code}-${'x'.repeat(random.int(0, 100))}\r\n`.repeat(random.int(100, 5_000))}${code} end\r\n`,
      ),
    },
    line(code),
    line(`${code} `),
    line(`${code}-`, CRLF, code),
    ...['99', '600', '000', '2x0', '25', '2500', '-250', '4', '45x', '5', `${code}${code}`].map((odd) =>
      line(`${odd} odd`),
    ),
    { ...line(`${code} bit by bit`), apart: true },
    ...[`${code} twice`, '550 5.0.0 no', '250 yes', '421 4.3.0 gone', 'huh'].map((more) =>
      line(`${code} once\r\n${more}`),
    ),
  ];
}

/** All 256 bytes except line ends, in random order, in several replies. */
function everyByte(random: Random): Buffer[] {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !BREAKS.includes(byte));
  const groups = Array.from({ length: 8 }, () => [] as number[]);
  for (const byte of bytes) random.pick(groups).push(byte);
  return groups.map((group) => Buffer.from(group));
}
