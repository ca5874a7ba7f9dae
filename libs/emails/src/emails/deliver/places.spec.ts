import type { EmailTransport, TransportPlace } from '../ports/email-transport.js';
import { Places } from './places.js';

const place: TransportPlace = { send: async () => [], reopen: async () => {}, release: () => {} };

/** Places that are granted when the test says so. */
function placesAt(clock: { now: number }) {
  const waiting: ((granted: TransportPlace) => void)[] = [];
  const takePlace = () => new Promise<TransportPlace>((resolve) => waiting.push(resolve));
  return { waiting, places: new Places({ takePlace } as unknown as EmailTransport, () => clock.now) };
}

describe('Places', () => {
  it('are near when as many were given back in the last half second as are waited for', async () => {
    const clock = { now: 0 };
    const { places, waiting } = placesAt(clock);
    expect(places.near).toBe(false);
    places.give(place);
    places.give(place);
    clock.now = 500;
    expect(places.near).toBe(true);
    const taken = [places.take(), places.take()];
    expect(places.near).toBe(false);
    for (const grant of waiting) grant(place);
    await Promise.all(taken);
    expect(places.near).toBe(true);
  });

  it('are not near when none was given back lately', () => {
    const clock = { now: 0 };
    const { places } = placesAt(clock);
    places.near;
    places.give(place);
    clock.now = 1_000;
    expect(places.near).toBe(false);
  });

  it('are there for everybody where the transport grants none', async () => {
    const sent: unknown[] = [];
    const transport = { send: async (message: unknown) => [sent.push(message)] };
    const places = new Places(transport as never);
    const [one, other] = [await places.take(), await places.take()];
    await one?.send('first' as never);
    await other?.send('second' as never);
    expect(sent).toEqual(['first', 'second']);
  });
});
