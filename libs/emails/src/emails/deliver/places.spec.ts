import type { EmailTransport, TransportPlace } from '../ports/email-transport.js';
import { Places } from './places.js';

const place: TransportPlace = { send: async () => [], reopen: async () => {}, release: () => {} };

/** Places that are granted when the test says so. */
function placesAt(clock: { now: number }) {
  const waiting: ((granted: TransportPlace) => void)[] = [];
  const takePlace = () => new Promise<TransportPlace>((resolve) => waiting.push(resolve));
  return { waiting, places: new Places({ takePlace } as unknown as EmailTransport, () => clock.now) };
}

/** Asks for that many places, and says in which order they turned out to be near. */
function askFor(places: Places, count: number) {
  const near: number[] = [];
  const taken = Array.from({ length: count }, (_, index) => places.take(undefined, () => near.push(index)));
  return { near, taken };
}

describe('Places', () => {
  it('are near to as many of the first who wait as got one in the last quarter of a second', async () => {
    const clock = { now: 0 };
    const { places, waiting } = placesAt(clock);
    const { near, taken } = askFor(places, 5);
    expect(near).toEqual([]);
    places.give(place);
    places.give(place);
    expect(near).toEqual([0, 1]);
    clock.now = 250;
    waiting[0]?.(place);
    await taken[0];
    places.give(place);
    expect(near).toEqual([0, 1, 2]);
    places.give(place);
    places.give(place);
    expect(near).toEqual([0, 1, 2, 3]);
  });

  it('are near to nobody whose place came first, and to nobody when none was given back lately', async () => {
    const clock = { now: 0 };
    const { places, waiting } = placesAt(clock);
    const { near, taken } = askFor(places, 3);
    for (const grant of waiting.splice(0, 2)) grant(place);
    await Promise.all(taken.slice(0, 2));
    places.give(place);
    expect(near).toEqual([2]);
    clock.now = 500;
    expect(askFor(places, 2).near).toEqual([]);
  });

  it('count who got none as one who waits no more', async () => {
    const { places, waiting } = placesAt({ now: 0 });
    const { near, taken } = askFor(places, 2);
    places.give(place);
    waiting[0]?.(undefined as never);
    expect(await taken[0]).toBeUndefined();
    expect(near).toEqual([0]);
    places.give(place);
    expect(near).toEqual([0, 1]);
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
