import { type Job, type Queue, Worker } from 'bullmq';
import type { DeliveryJob } from '../queue/delivery-queue.js';

/**
 * Milliseconds. A job that a dead worker had taken is given to another one within about twice this time; a lease, and
 * with it the email, is free again by then. A worker that fails to reach the queue asks again after `runRetryDelay`.
 */
const TIMES = { lockDuration: 5_000, stalledInterval: 3_000, runRetryDelay: 1_000 };

/** Takes jobs from a queue once it is told to run, over connections of its own like those of the queue. */
export function workerOf(
  queue: Queue<DeliveryJob>,
  process: (job: Job<DeliveryJob>, token?: string) => Promise<void>,
  concurrency: number,
): Worker<DeliveryJob> {
  const { connection, prefix, telemetry, skipVersionCheck } = queue.opts;
  const worker = new Worker<DeliveryJob>(queue.name, process, {
    connection,
    ...(prefix !== undefined && { prefix }),
    ...(telemetry !== undefined && { telemetry }),
    ...(skipVersionCheck !== undefined && { skipVersionCheck }),
    ...TIMES,
    concurrency,
    maxStalledCount: 1_000_000,
    autorun: false,
  });
  // The queue, which is in the same place, says so once.
  worker.on('error', () => {});
  return worker;
}
