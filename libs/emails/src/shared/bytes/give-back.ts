import { MessageChannel } from 'node:worker_threads';

/** Bytes from which it is worth it. */
const WORTH = 16_384;

/** Leads nowhere: what is transferred through it is gone. */
const { port1: nowhere, port2: otherEnd } = new MessageChannel();
otherEnd.close();
nowhere.close();

/**
 * Gives memory back at once that V8 would give back after its next collection. It counts such memory, and begins to collect
 * everything with each 64 MB of it: an upload of 34 MB, which comes in pieces and is put together, made it do so more than
 * once.
 *
 * @param bytes of nobody else, now or later: they are empty from now on. Those that share their memory are left alone
 */
export function giveBack(bytes: Buffer): void {
  if (bytes.length < WORTH || bytes.length < bytes.buffer.byteLength) return;
  nowhere.postMessage(undefined, [bytes.buffer as ArrayBuffer]);
}
