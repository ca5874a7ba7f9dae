import { setTimeout as delay } from 'node:timers/promises';
import { processorTime, type Stage, type Worker } from '../support/stage.js';
import type { Figures } from './row.js';

/** Delay after which the follow-up work of an email is done too. Milliseconds. */
const SETTLED = 300;

/** Processor time of each email by process, in microseconds. */
export interface Cost {
  host: number;
  postgres: number;
  redis: number;
}

/** Starts to count; the returned function stops, and divides by the number of emails. */
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

/** With each part of it. @param name prefix of the figures */
export function costFigures(name: string, cost: Cost): Figures {
  return {
    [`${name} µs`]: whole(cost),
    [`${name} host µs`]: cost.host,
    [`${name} PostgreSQL µs`]: cost.postgres,
    [`${name} Redis µs`]: cost.redis,
  };
}
