import { httpRequest } from '../../support/requests/http-request.js';
import { type Mail, toRequest } from '../world/draft.js';
import type { World } from '../world/world.js';
import { gate } from './held.js';
import type { Scenario } from './scenario.js';

const LARGE = 'sh1';
const OTHER = 'sh2';
/** Heap of each process, in megabytes. */
const HEAP = 256;
/** Maximum memory of a process: its heap, and the buffers of requests and connections. Bytes. */
const MOST_MEMORY = 900_000_000;
/** The longest allowed value of a template variable. */
const VALUE = 'x'.repeat(2_000);
/** 34 kB, which become 9.8 MB with the longest value. */
const HTML = '{{{A}}}'.repeat(4_900);
const ATTACHMENT = 'zqattachment'.repeat(200_000);
const BY_TEMPLATE = 6;
const WITH_ATTACHMENT = 4;
const REFUSED_BATCHES = 6;
/** Maximum per account. */
const ENDPOINTS = 10;
const ORDINARY = 40;
/** Milliseconds. */
const TIMEOUT = 120_000;
/** The answer of a busy host. */
const BUSY = 503;
const TOO_LARGE = 422;

/**
 * An API and a worker with little memory get templates that multiply, large attachments and batches beyond the limit,
 * while webhooks hang. Both survive, refuse requests beyond their capacity, and deliver all acknowledged emails.
 */
export const smallHeap: Scenario = {
  name: 'small heap',
  about: 'API killed',
  minutes: 0.6,
  webhooks: true,
  environment: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` },
  rows: [
    { id: LARGE, fault: `large emails to processes with a heap of ${HEAP} MB, while webhooks hang` },
    { id: OTHER, fault: 'the other emails' },
    { id: LARGE, fault: `webhooks of large emails, from a worker with a heap of ${HEAP} MB`, webhooks: true },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    const template = { id: await publish(world), variables: { A: VALUE } };
    for (let endpoint = 0; endpoint < ENDPOINTS; endpoint++) await world.endpoints.create(`hangs-${endpoint}`);
    for (let round = 0; round < factor; round++) await overload(world, template);
    for (const [name, slot] of [['API', world.api] as const, ['worker', worker] as const]) {
      if (!slot.running) world.complaints.push(`The ${name} went down.`);
      const memory = slot.peakMemory ?? 0;
      if (memory > MOST_MEMORY) world.complaints.push(`The ${name} had ${Math.round(memory / 1_000_000)} MB.`);
    }
  },
};

async function overload(world: World, template: NonNullable<Mail['template']>): Promise<void> {
  const { opened, open } = gate();
  world.endpoints.receiver.behave(() => ({ kind: 'hold', reached: () => {}, released: opened }));
  const drafts = [
    ...Array.from({ length: BY_TEMPLATE }, () => ({ row: LARGE, template })),
    ...Array.from({ length: WITH_ATTACHMENT }, () => ({ row: LARGE, attachment: ATTACHMENT })),
    ...Array.from({ length: ORDINARY }, () => ({ row: OTHER })),
  ];
  await Promise.all([
    ...drafts.map((draft) => sendAsRoomComes(world, world.draft(draft))),
    ...Array.from({ length: REFUSED_BATCHES }, () => sendTooMuch(world, template)),
  ]);
  await world.settle();
  world.hit(LARGE);
  open();
  world.endpoints.receiver.behave();
  await world.endpoints.settle();
}

async function publish(world: World): Promise<string> {
  const { status, text, body } = await ask<{ id: string }>(world, '/templates', { name: 'T', html: HTML });
  if (status >= 300) throw new Error(`No template: ${status} ${text}`);
  await ask(world, `/templates/${body.id}/publish`);
  return body.id;
}

/** The first answer must be 200 or report a busy host; then the client repeats until the email is accepted. */
async function sendAsRoomComes(world: World, mail: Mail): Promise<void> {
  await expectAnswer(world, '/emails', toRequest(mail), 200, mail.tag);
  await world.client.send(mail);
}

/** A hundred emails, which would become 980 MB. */
function sendTooMuch(world: World, template: Mail['template']): Promise<void> {
  const email = toRequest({ ...world.draft({ row: LARGE }), ...(template && { template }) });
  return expectAnswer(world, '/emails/batch', Array(100).fill(email), TOO_LARGE);
}

async function expectAnswer(world: World, path: string, body: object, expected: number, key?: string): Promise<void> {
  const { status, headers } = await ask(world, path, body, key);
  const isBusy = status === BUSY && headers['retry-after'] !== undefined;
  if (status !== expected && !isBusy) world.complaints.push(`${path} is answered ${status}, not ${expected}.`);
}

function ask<Body>({ api, token }: World, path: string, body?: object, key?: string) {
  const headers = { 'idempotency-key': key };
  return httpRequest<Body>(api.directUrl, 'POST', path, { token, headers, timeout: TIMEOUT, ...(body && { body }) });
}
