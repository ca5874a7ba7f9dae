/**
 * A separate thread, so that only the host can delay it: sends small requests for an account, one after the other, and
 * reports their durations.
 */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const PAUSE = 20;
const { url, full, sending, mark } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const email = JSON.stringify({ from: `from@${mark}.test`, to: `to@${mark}.test`, subject: mark, text: mark });

let times = [];
let problems = [];
let isOver = false;

parentPort.on('message', (message) => {
  if (message === 'stop') isOver = true;
  parentPort.postMessage({ times, problems });
  times = [];
  problems = [];
  if (isOver) {
    agent.destroy();
    parentPort.close();
  }
});

function ask(method, path, token, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const outgoing = request(url + path, { method, headers, agent }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      incoming.once('error', reject).once('end', () => resolve({ status: incoming.statusCode, text }));
    });
    outgoing.once('error', reject).end(body);
  });
}

/** Every row has the mark in its sender. */
function lookAt({ status, text }, isList) {
  if (status !== 200) return `is answered ${status}: ${text}`;
  const strangers = isList ? JSON.parse(text).data.filter(({ from }) => !from.includes(mark)) : [];
  return strangers.length > 0 ? 'is shown rows of another account.' : undefined;
}

for (let turn = 0; !isOver; turn++) {
  const isList = turn % 2 === 1;
  const begun = performance.now();
  try {
    const answer = await (isList ? ask('GET', '/emails?limit=5', full) : ask('POST', '/emails', sending, email));
    const problem = lookAt(answer, isList);
    if (problem) problems.push(`The neighbour ${problem}`);
  } catch (error) {
    if (!isOver) problems.push(`The neighbour gets no answer: ${error.code ?? error.message}`);
  }
  times.push(performance.now() - begun);
  await delay(PAUSE);
}
