import { type Job, type Queue, Worker, type WorkerOptions } from 'bullmq';
import type { DeliveryJob } from '../queue/delivery-queue.js';

/**
 * Milliseconds. A job that a dead worker had taken is given to another one within about twice this time; a lease, and
 * with it the email, is free again by then. A worker that fails to reach the queue asks again after `runRetryDelay`.
 */
const TIMES = { lockDuration: 5_000, stalledInterval: 3_000, runRetryDelay: 1_000 };

/** Jobs that a worker has taken and whose emails have not all begun, at most: other workers have room for what waits here. */
const JOBS_AHEAD = 4;

/** Takes jobs from a queue once it is told to run, over connections of its own like those of the queue. */
export function workerOf(
  queue: Queue<DeliveryJob>,
  process: (job: Job<DeliveryJob>, token?: string) => Promise<void>,
): Worker<DeliveryJob> {
  const worker = new Worker<DeliveryJob>(queue.name, process, {
    ...sharedOptions(queue),
    ...TIMES,
    concurrency: JOBS_AHEAD,
    maxStalledCount: 1_000_000,
    autorun: false,
  });
  // The queue, which is in the same place, says so once.
  worker.on('error', () => {});
  return worker;
}

/** What a worker has of its queue's options. BullMQ 5 does not know all of them. */
const SHARED = new Set(['connection', 'prefix', 'telemetry', 'skipVersionCheck']);

function sharedOptions({ opts }: Queue): Pick<WorkerOptions, 'connection'> {
  return Object.fromEntries(Object.entries(opts).filter(([name]) => SHARED.has(name))) as never;
}
