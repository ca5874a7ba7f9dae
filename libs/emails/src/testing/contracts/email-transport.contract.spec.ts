import type { BuiltMessage, EmailTransport, RecipientOutcome } from '../../emails/ports/email-transport.js';
import { RecordingTransport } from '../recording-transport.js';
import { brokenOf } from './contracts.spec-tools.js';
import { emailTransportContract } from './email-transport.contract.js';

const ENVELOPE = { from: 'a@from.test', recipients: ['b@to.test', 'c@to.test'] };
const OUTCOMES = 'reports an outcome for each recipient';

/** A correct transport, except for its outcomes or for one of its methods. */
function altered(
  change: (outcomes: RecipientOutcome[]) => unknown,
  part: Partial<EmailTransport> = {},
): EmailTransport {
  const right = new RecordingTransport();
  return Object.assign(right, {
    send: async (message: BuiltMessage) => change(await RecordingTransport.prototype.send.call(right, message)),
    ...part,
  }) as EmailTransport;
}
const unchanged = (outcomes: RecipientOutcome[]) => outcomes;
const away = () =>
  altered((outcomes) => outcomes.map(({ address }) => ({ address, outcome: 'deferred', reply: { text: 'away' } })), {
    verify: () => Promise.reject(new Error('away')),
  });

const violated = (make: () => EmailTransport, makeUnreachable: () => EmailTransport = away) =>
  brokenOf(emailTransportContract(make, { ...ENVELOPE, makeUnreachable }));

describe('emailTransportContract', () => {
  it('is kept by the transport for tests', async () => {
    expect(await violated(() => new RecordingTransport())).toEqual({});
    expect(await violated(() => new RecordingTransport({ hop: 'relay' }))).toEqual({});
    for (const hasTls of [true, false]) {
      const cases = emailTransportContract(() => new RecordingTransport({ hasTls }), { ...ENVELOPE, hasTls });
      expect(await brokenOf(cases)).toEqual({});
    }
  });

  it.each<[string, (outcomes: RecipientOutcome[]) => unknown, RegExp]>([
    ['nothing', () => undefined, /must be an array/],
    ['of one recipient only', (outcomes) => outcomes.slice(1), /one outcome for each/],
    ['of a recipient twice', (outcomes) => [...outcomes, outcomes[0]], /one outcome for each/],
    [
      'of another recipient',
      (outcomes) => outcomes.map((one) => ({ ...one, address: 'x@to.test' })),
      /one outcome for each/,
    ],
    [
      'an unknown outcome',
      (outcomes) => outcomes.map((one) => ({ ...one, outcome: 'sent' })),
      /must be one of accepted/,
    ],
    ['no reply', (outcomes) => outcomes.map(({ reply: _, ...one }) => one), /must have a text/],
    [
      'a code in words',
      (outcomes) => outcomes.map((one) => ({ ...one, reply: { code: '250', text: '' } })),
      /must be whole/,
    ],
    [
      'an invalid wait',
      (outcomes) => outcomes.map((one) => ({ ...one, retryAfter: Number.NaN })),
      /must be above zero/,
    ],
    [
      'that all were refused',
      (outcomes) => outcomes.map((one) => ({ ...one, outcome: 'rejected' })),
      /must be accepted/,
    ],
  ])('is broken by one that reports %s', async (_, change, complaint) => {
    expect((await violated(() => altered(change)))[OUTCOMES]).toMatch(complaint);
  });

  it.each<[string, () => EmailTransport, string]>([
    [
      'has an invalid hop',
      () => altered(unchanged, { hop: 'next' as 'relay' }),
      'says whether the next hop is the last one',
    ],
    [
      'does not open a large message',
      () => altered(unchanged, { send: async ({ recipients }) => recipients.map(accepted) }),
      'sends a large message, which it opens',
    ],
    [
      'treats a broken message as whole',
      () => altered(unchanged, { send: sendWhatCame }),
      'reports no recipient as accepted for a message that cannot be read to its end',
    ],
    ['sends one at a time', oneAtATime, 'sends many messages at the same time'],
    [
      'cannot find its next hop',
      () => altered(unchanged, { verify: () => Promise.reject(new Error('away')) }),
      'finds the next hop',
    ],
    ['continues after its end', () => altered(unchanged, { close: async () => {} }), 'sends nothing once it is closed'],
  ])('is broken by one that %s', async (_, make, name) => {
    expect(Object.keys(await violated(make))).toContain(name);
  });

  it.each([
    ['sends in clear what requires TLS', true, false],
    ['sends nothing that requires TLS', false, true],
  ])('is broken by one that %s', async (_, sends, hasTls) => {
    const cases = emailTransportContract(() => new RecordingTransport({ hasTls: sends }), { ...ENVELOPE, hasTls });
    expect(Object.keys(await brokenOf(cases))).toEqual([
      'sends a message that requires TLS only with TLS, and defers it without',
      'sends a message of which TLS is enforced only with TLS, and refuses it without',
    ]);
  });

  it('is broken by one that refuses a message because of its reports', async () => {
    const make = () =>
      altered(unchanged, {
        send: async ({ recipients, dsn }) =>
          recipients.map((address) => ({ ...accepted(address), outcome: dsn ? 'rejected' : 'accepted' })),
      });
    expect(Object.keys(await violated(make))).toContain(
      'sends a message that requests reports, whether the next hop supports them or not',
    );
  });

  it.each<[string, () => EmailTransport]>([
    [
      'rejects while the next hop is away',
      () => Object.assign(away(), { send: () => Promise.reject(new Error('away')) }),
    ],
    ['refuses permanently while the next hop is away', () => Object.assign(away(), { send: () => refuseAll() })],
    ['says that all is well while the next hop is away', () => Object.assign(away(), { verify: async () => {} })],
  ])('is broken by one that %s', async (_, makeUnreachable) => {
    expect(Object.keys(await violated(() => new RecordingTransport(), makeUnreachable))).toEqual([
      'defers all recipients while the next hop is away, and fails its verification',
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
  return altered(unchanged, {
    send: async ({ recipients }) => {
      if (busy) throw new Error('busy');
      busy = true;
      await Promise.resolve();
      busy = false;
      return recipients.map(accepted);
    },
  });
}
