import type { BuiltMessage, EmailTransport, RecipientOutcome } from '../../emails/ports/email-transport.js';
import { RecordingTransport } from '../recording-transport.js';
import { brokenOf } from './contracts.spec-tools.js';
import { emailTransportContract } from './email-transport.contract.js';

const ENVELOPE = { from: 'a@from.test', recipients: ['b@to.test', 'c@to.test'] };
const OUTCOMES = 'says what became of each recipient';

/** A transport that does what it should, but for what it tells, or for one of its methods. */
function odd(change: (told: RecipientOutcome[]) => unknown, part: Partial<EmailTransport> = {}): EmailTransport {
  const right = new RecordingTransport();
  return Object.assign(right, {
    send: async (message: BuiltMessage) => change(await RecordingTransport.prototype.send.call(right, message)),
    ...part,
  }) as EmailTransport;
}
const unchanged = (told: RecipientOutcome[]) => told;
const away = () =>
  odd((told) => told.map(({ address }) => ({ address, outcome: 'deferred', reply: { text: 'away' } })), {
    verify: () => Promise.reject(new Error('away')),
  });

const broken = (make: () => EmailTransport, makeUnreachable: () => EmailTransport = away) =>
  brokenOf(emailTransportContract(make, { ...ENVELOPE, makeUnreachable }));

describe('emailTransportContract', () => {
  it('is kept by the transport for tests', async () => {
    expect(await broken(() => new RecordingTransport())).toEqual({});
    expect(await broken(() => new RecordingTransport({ hop: 'relay' }))).toEqual({});
  });

  it.each<[string, (told: RecipientOutcome[]) => unknown, RegExp]>([
    ['nothing', () => undefined, /must be an array/],
    ['of one recipient only', (told) => told.slice(1), /one outcome for each/],
    ['of a recipient twice', (told) => [...told, told[0]], /one outcome for each/],
    ['of somebody else', (told) => told.map((one) => ({ ...one, address: 'x@to.test' })), /one outcome for each/],
    ['an outcome of its own', (told) => told.map((one) => ({ ...one, outcome: 'sent' })), /must be one of accepted/],
    ['no reply', (told) => told.map(({ reply: _, ...one }) => one), /must have a text/],
    ['a code in words', (told) => told.map((one) => ({ ...one, reply: { code: '250', text: '' } })), /must be whole/],
    ['a wait that is none', (told) => told.map((one) => ({ ...one, retryAfter: Number.NaN })), /must be above zero/],
    ['that all were refused', (told) => told.map((one) => ({ ...one, outcome: 'rejected' })), /must be accepted/],
  ])('is broken by one that tells %s', async (_, change, complaint) => {
    expect((await broken(() => odd(change)))[OUTCOMES]).toMatch(complaint);
  });

  it.each<[string, () => EmailTransport, string]>([
    [
      'does not know where it sends',
      () => odd(unchanged, { hop: 'next' as 'relay' }),
      'says whether the next hop is the last one',
    ],
    [
      'does not look into a large message',
      () => odd(unchanged, { send: async ({ recipients }) => recipients.map(accepted) }),
      'sends a large message, which it opens',
    ],
    [
      'takes what broke off for the whole',
      () => odd(unchanged, { send: sendWhatCame }),
      'says of no recipient that it got a message that cannot be read to its end',
    ],
    ['sends one at a time', oneAtATime, 'sends many messages at the same time'],
    [
      'cannot find its next hop',
      () => odd(unchanged, { verify: () => Promise.reject(new Error('away')) }),
      'finds the next hop',
    ],
    ['goes on after its end', () => odd(unchanged, { close: async () => {} }), 'sends nothing once it is closed'],
  ])('is broken by one that %s', async (_, make, name) => {
    expect(Object.keys(await broken(make))).toContain(name);
  });

  it.each<[string, () => EmailTransport]>([
    [
      'rejects while the next hop is away',
      () => Object.assign(away(), { send: () => Promise.reject(new Error('away')) }),
    ],
    ['refuses for good while the next hop is away', () => Object.assign(away(), { send: () => refuseAll() })],
    ['says that all is well while the next hop is away', () => Object.assign(away(), { verify: async () => {} })],
  ])('is broken by one that %s', async (_, makeUnreachable) => {
    expect(Object.keys(await broken(() => new RecordingTransport(), makeUnreachable))).toEqual([
      'puts everybody off while the next hop is away, and says so when it is asked',
    ]);
  });
});

const accepted = (address: string): RecipientOutcome => ({ address, outcome: 'accepted', reply: { text: 'ok' } });

const refuseAll = async () =>
  ENVELOPE.recipients.map((address) => ({ address, outcome: 'rejected' as const, reply: { text: 'no' } }));

async function sendWhatCame({ raw, recipients }: BuiltMessage): Promise<RecipientOutcome[]> {
  if (!Buffer.isBuffer(raw)) for await (const _ of raw().on('error', () => {})) break;
  return recipients.map(accepted);
}

function oneAtATime(): EmailTransport {
  let busy = false;
  return odd(unchanged, {
    send: async ({ recipients }) => {
      if (busy) throw new Error('busy');
      busy = true;
      await Promise.resolve();
      busy = false;
      return recipients.map(accepted);
    },
  });
}
