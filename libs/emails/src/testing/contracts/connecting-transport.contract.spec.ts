import type { BuiltMessage, ConnectingTransport, RecipientOutcome } from '../../emails/ports/email-transport.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import { connectingTransportContract } from './connecting-transport.contract.js';
import { brokenOf } from './contracts.spec-tools.js';

const ENVELOPE = { from: 'a@from.test', recipients: ['b@to.test'] };
const [SENDS, GIVES_BACK, CLOSES] = [
  'grants a place that takes a message',
  'grants a place again that was given back, used or not',
  'waits for places that are taken when it is closed, and grants none any more',
];

const accept = ({ recipients }: BuiltMessage): RecipientOutcome[] =>
  recipients.map((address) => ({ address, outcome: 'accepted', reply: { text: 'ok' } }));

/** A transport with ten places, right but for what a test says. */
function transport({ stale = 0, keeps = false, waits = true, goesOn = false } = {}): ConnectingTransport {
  const places = new Semaphore(10);
  let isClosed = false;
  let whenIdle = () => {};
  let staleLeft = stale;
  return {
    hop: 'relay',
    send: async (message) => accept(message),
    verify: async () => {},
    takePlace: async (patience) => {
      if (isClosed && !goesOn) return undefined;
      if (!(await places.acquire(1, patience))) return undefined;
      return {
        send: async (message) => (staleLeft-- > 0 ? 'stale' : accept(message)),
        reopen: async () => {},
        release: () => {
          if (!keeps) places.release();
          if (places.taken === 0) whenIdle();
        },
      };
    },
    close: async () => {
      isClosed = true;
      if (waits && !keeps && places.taken > 0) {
        await new Promise<void>((resolve) => {
          whenIdle = resolve;
        });
      }
    },
  };
}

describe('connectingTransportContract', () => {
  it.each([{}, { stale: 1 }])('is kept by a transport that does what it should: %j', async (odd) => {
    expect(await brokenOf(connectingTransportContract(() => transport(odd), ENVELOPE))).toEqual({});
  });

  it.each([
    ['gives stale connections only', { stale: 9 }, [SENDS]],
    ['is closed under who has a place', { waits: false }, [CLOSES]],
    ['grants places after its end', { goesOn: true }, [CLOSES]],
  ])('is broken by one that %s', async (_, odd, names) => {
    expect(Object.keys(await brokenOf(connectingTransportContract(() => transport(odd), ENVELOPE)))).toEqual(names);
  });

  it('is broken by one that loses its places', async () => {
    const impatient = () => {
      const { takePlace, ...rest } = transport({ keeps: true });
      return { ...rest, takePlace: () => takePlace(1) };
    };
    expect(Object.keys(await brokenOf(connectingTransportContract(impatient, ENVELOPE)))).toContain(GIVES_BACK);
  });
});
