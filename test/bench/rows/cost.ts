import { setTimeout as delay } from 'node:timers/promises';
import { processorTime, type Stage, type Worker } from '../support/stage.js';
import type { Figures } from './row.js';

/** After which what follows an email is done too. Milliseconds. */
const SETTLED = 300;

/** Microseconds of processor time of each email, by whose processes took them. */
export interface Cost {
  host: number;
  postgres: number;
  redis: number;
}

/** Begins to count; what is returned ends it, and divides by that many emails. */
export async function meter(stage: Stage, workers: readonly Worker[]): Promise<(emails: number) => Promise<Cost>> {
  const read = async () => ({
    host: workers.reduce((sum, { pid }) => sum + processorTime(pid), 0),
    ...(await stage.serversTime()),
  });
  const before = await read();
  return async (emails) => {
    await delay(SETTLED);
    const after = await read();
    const spent = (whose: keyof Cost) => (after[whose] - before[whose]) / emails;
    return { host: spent('host'), postgres: spent('postgres'), redis: spent('redis') };
  };
}

export function whole({ host, postgres, redis }: Cost): number {
  return host + postgres + redis;
}

/** With each part of it. @param name that the figures begin with */
export function costFigures(name: string, cost: Cost): Figures {
  return {
    [`${name} µs`]: whole(cost),
    [`${name} host µs`]: cost.host,
    [`${name} PostgreSQL µs`]: cost.postgres,
    [`${name} Redis µs`]: cost.redis,
  };
}
