import type { BuiltMessage, ConnectingTransport, RecipientOutcome } from '../../emails/ports/email-transport.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import { connectingTransportContract } from './connecting-transport.contract.js';
import { brokenOf } from './contracts.spec-tools.js';

const ENVELOPE = { from: 'a@from.test', recipients: ['b@to.test'] };
const [SENDS, RELEASES, CLOSES] = [
  'grants a slot that sends a message',
  'grants a released slot again, used or not',
  'waits for acquired slots when it is closed, and grants no more',
];

const accept = ({ recipients }: BuiltMessage): RecipientOutcome[] =>
  recipients.map((address) => ({ address, outcome: 'accepted', reply: { text: 'ok' } }));

/** A transport with ten slots, correct except for the overrides of a test. */
function transport({ stale = 0, keeps = false, waits = true, goesOn = false } = {}): ConnectingTransport {
  const slots = new Semaphore(10);
  let isClosed = false;
  let whenIdle = () => {};
  let staleLeft = stale;
  return {
    hop: 'relay',
    send: async (message) => accept(message),
    verify: async () => {},
    acquireSlot: async (patience) => {
      if (isClosed && !goesOn) return undefined;
      if (!(await slots.acquire(patience))) return undefined;
      return {
        send: async (message) => (staleLeft-- > 0 ? 'stale' : accept(message)),
        reopen: async () => {},
        release: () => {
          if (!keeps) slots.release();
          if (slots.taken === 0) whenIdle();
        },
      };
    },
    close: async () => {
      isClosed = true;
      if (waits && !keeps && slots.taken > 0) {
        await new Promise<void>((resolve) => {
          whenIdle = resolve;
        });
      }
    },
  };
}

describe('connectingTransportContract', () => {
  it.each([{}, { stale: 1 }])('is kept by a correct transport: %j', async (overrides) => {
    expect(await brokenOf(connectingTransportContract(() => transport(overrides), ENVELOPE))).toEqual({});
  });

  it.each([
    ['gives stale connections only', { stale: 9 }, [SENDS]],
    ['closes while a slot is acquired', { waits: false }, [CLOSES]],
    ['grants slots after its end', { goesOn: true }, [CLOSES]],
  ])('is broken by one that %s', async (_, overrides, names) => {
    expect(Object.keys(await brokenOf(connectingTransportContract(() => transport(overrides), ENVELOPE)))).toEqual(
      names,
    );
  });

  it('is broken by one that loses its slots', async () => {
    const impatient = () => {
      const { acquireSlot, ...rest } = transport({ keeps: true });
      return { ...rest, acquireSlot: () => acquireSlot(1) };
    };
    expect(Object.keys(await brokenOf(connectingTransportContract(impatient, ENVELOPE)))).toContain(RELEASES);
  });
});
