import { parentPort } from 'node:worker_threads';
import { htmlToText } from './html-text.js';

parentPort?.on('message', (html: string) => parentPort?.postMessage(htmlToText(html)));
