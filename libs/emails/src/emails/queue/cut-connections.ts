import type { Queue, Worker } from 'bullmq';

/**
 * Cuts the connections of a queue or worker that cannot be closed. BullMQ waits without limit for an unreachable Redis,
 * and Nest, which closes all of them at the end, waits for BullMQ. After this every `close` ends.
 */
export function cutConnections(connected: Queue | Worker): void {
  connected.closing = Promise.resolve();
  connected.disconnect().catch(() => {});
}
