import { setTimeout as delay } from 'node:timers/promises';
import type { Draft } from '../world/draft.js';
import type { World } from '../world/world.js';

/** A steady stream of emails. */
export interface Load {
  /** Stops the stream; resolves when every email was answered 200. */
  end(): Promise<void>;
}

/** Maximum number of pending emails, so that a slow machine is not overloaded. */
const ON_THE_WAY = 400;

/**
 * Sends an email about every `every` milliseconds, with an occasional second one in between, unless too many are
 * pending.
 */
export function startLoad(world: World, draft: () => Draft, every: number): Load {
  const { random, client, sink } = world;
  const before = client.asked.size - sink.taken.size;
  const sent: Promise<unknown>[] = [];
  let over = false;
  const stream = waitedFor(
    (async () => {
      while (!over) {
        const room = client.asked.size - sink.taken.size - before < ON_THE_WAY;
        for (let count = random.chance(0.3) ? 2 : 1; room && count > 0; count--)
          sent.push(waitedFor(world.send(draft())));
        await delay(random.int(1, 2 * every));
      }
    })(),
  );
  return {
    end: async () => {
      over = true;
      await stream;
      await Promise.all(sent);
    },
  };
}

/** How a fault hits a load. */
interface Blow {
  /** Default: only emails of the row. */
  draft?: () => Draft;
  /** How long the load continues after the fault. Milliseconds. Default: 200. */
  rest?: () => number;
}

/** Sends a stream of emails of a row, and causes a fault in the middle of it. Resolves when all were answered 200. */
export async function strikeLoad(
  world: World,
  row: string,
  fault: () => Promise<void>,
  { draft = () => ({ row }), rest = () => 200 }: Blow = {},
): Promise<void> {
  const load = startLoad(world, draft, 20);
  await delay(world.random.int(300, 700));
  world.noteOutage();
  await fault();
  world.hit(row);
  await delay(rest());
  await load.end();
}

/** A caller that awaits the end gets the failure; without such a caller it must not end the run. */
export function waitedFor<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
