import { parentPort } from 'node:worker_threads';
import { type ReportTask, reportWork } from './report-work.js';

parentPort?.on('message', async (task: ReportTask) => parentPort?.postMessage(await reportWork(task)));
