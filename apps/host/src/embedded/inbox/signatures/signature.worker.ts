import { parentPort } from 'node:worker_threads';
import { checkSignatures } from './check-signatures.js';
import { type SignatureTask, UNKNOWN } from './signature-check.js';

parentPort?.on('message', async (task: SignatureTask) =>
  parentPort?.postMessage(await checkSignatures(task).catch(() => UNKNOWN)),
);
