/**
 * A host that violates its budget: in `POST /jobs` a job keeps 200 MB, `POST /render` fills a template that multiplies,
 * `GET /spin` holds the event loop. `GET /sleep` holds it too, and uses no processor time. For tests of `HostWatch`.
 */
import { createServer } from 'node:http';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { makeText, USUAL, work } from '../support/hosts/watch/slowness.mjs';

const MB = 1_048_576;
/** Milliseconds; for a spin at least those of an ordinary machine, on a faster one its own. */
const HELD = 300;
/** Milliseconds after which the watch has looked once more: what ended before has no part in the growth that follows. */
const LOOKED = 300;
const tracer = trace.getTracer('heavy-host');
const kept = [];
const text = makeText();

function spin() {
  const begun = process.cpuUsage();
  const used = () => process.cpuUsage(begun).user / 1_000;
  for (let rounds = 0; rounds < HELD / USUAL || used() < HELD; rounds++) work(text);
}

function sleep() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD);
}

/** 39 kB with a value of 2,000 characters make 9.8 MB each. With nothing in between, V8 would join no bytes. */
async function render() {
  await delay(LOOKED);
  const template = '{{{A}}} '.repeat(4_900);
  const emails = [];
  for (let count = 0; count < 90; count++) {
    emails.push(template.split('{{{A}}}').join(String(count % 10).repeat(2_000)));
    await nextTurn();
  }
  return emails.reduce((sum, { length }) => sum + length, 0);
}

async function keep() {
  await delay(LOOKED);
  await tracer.startActiveSpan('keep', async (span) => {
    for (let count = 0; count < 100; count++) {
      kept.push(Buffer.alloc(2 * MB, 1));
      await delay(5);
    }
    span.end();
  });
}

const routes = {
  'GET /spin': spin,
  'GET /sleep': sleep,
  'POST /render': render,
  'POST /jobs': () => void keep(),
  'GET /': () => {},
};

createServer(async ({ method, url }, response) => {
  const result = await routes[`${method} ${url}`]();
  response.end(JSON.stringify(result ?? null));
}).listen(Number(process.env.PORT), '127.0.0.1');
