import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import { afterFile } from '../../support/basics/cleanup.js';
import { Random } from '../../support/basics/random.js';
import { type RunningHost, startHost } from '../../support/hosts/host.js';
import { SmtpServer } from '../../support/servers/smtp/smtp-server.js';
import type { Extent } from '../extent.js';
import { Neighbour, p99 } from './neighbour.js';
import { operations } from './operations.js';
import { type Account, RandomCaller } from './random-caller.js';

/** Requests at the same time. */
const AT_ONCE = 4;
/** Share of the time with ordinary requests of the caller, for comparison. */
const ORDINARY = 0.25;
/** Allowed factor of the neighbour's wait. */
const SLOWER = 3;
/** Milliseconds. See `Extent`. */
const TOLERATED = 100;
/** Interval of checks of the host. Milliseconds. */
const LOOK = 500;

/** A host above this limit exceeds its budget, and the machine needs the memory. */
const HEAP = '--max-old-space-size=1500';

/**
 * Two accounts at one host: one sends random requests, the other small ones all the time. Resolves with the violations
 * of the contract, in words; `say` receives the progress.
 */
export async function fuzzCaller({ seed, seconds, tolerated = TOLERATED, say }: Extent): Promise<string[]> {
  const random = new Random(`${seed}:caller`);
  const host = await startHost({
    smtp: `smtp://127.0.0.1:${await startSink()}`,
    env: { NODE_OPTIONS: HEAP, WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', LOG_LEVEL: 'warn' },
  });
  const [one, other] = [await openAccount(host, 'zqone'), await openAccount(host, 'zqother')];
  const belongings = await makeBelongings(host, other);
  const caller = new RandomCaller(
    one,
    {
      url: host.url,
      operations: operations(),
      receiver: await startReceiver(),
      foreign: [...belongings.values()].map(({ id }) => id),
      foreignMark: other.mark,
      protected: new Set(await idsOf(host, one)),
    },
    random,
  );
  const neighbour = Neighbour.start(host.url, other);
  const finish = yieldProcessor();
  const found = new Set<string>();
  const begun = performance.now();
  const note = (problems: Iterable<string>) => {
    for (const problem of problems) {
      if (!found.has(problem))
        say(`after ${((performance.now() - begun) / 1_000).toFixed(1)} s: ${problem.slice(0, 300)}`);
      found.add(problem);
    }
  };
  const look = setInterval(() => note([...host.beyondBudget(), ...caller.violations.keys()]), LOOK);
  const isOver = () => !host.isRunning;
  try {
    await inParallel(() => caller.ordinaryStep(), ORDINARY * seconds, isOver);
    const ordinary = await neighbour.take();
    await caller.prepare();
    await inParallel(() => caller.step(), (1 - ORDINARY) * seconds, isOver);
    const attacked = await neighbour.stop();
    note([...ordinary.problems, ...attacked.problems]);
    if (host.isRunning) note(await changesOf(host, other, belongings));
    else note([`The host ended: ${host.output.slice(-500)}`]);
    const [before, beside] = [p99(ordinary.times), p99(attacked.times)];
    const statuses = [...caller.statuses].sort().map(([status, count]) => `${status}: ${count}`);
    say(
      `${caller.asked} requests (${statuses.join(', ')}); p99 of the neighbour ${before.toFixed(0)} ms, then ${beside.toFixed(0)} ms`,
    );
    if (beside > SLOWER * before && beside > tolerated) {
      note([`The neighbour's p99 went from ${before.toFixed(0)} to ${beside.toFixed(0)} ms.`]);
    }
  } finally {
    clearInterval(look);
    finish();
  }
  note([...host.beyondBudget(), ...caller.violations.keys()]);
  return [...found];
}

/**
 * Gives the host priority over this process, until the returned function is called: on two cores the neighbour would wait
 * for the caller's own work. Other threads keep their priority on Linux.
 */
function yieldProcessor(): () => void {
  const usual = getPriority();
  setPriority(constants.priority.PRIORITY_LOW);
  return () => {
    try {
      setPriority(usual);
    } catch {
      // Needs permission.
    }
  };
}

/** Runs several loops at the same time until the time is over. */
async function inParallel(step: () => Promise<void>, seconds: number, isOver: () => boolean): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  const one = async () => {
    while (performance.now() < end && !isOver()) await step();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

async function openAccount(host: RunningHost, name: string): Promise<Account> {
  const { token: full } = await host.account(name);
  const mark = `${name}${full
    .slice(-8)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '0')}`;
  const body = { name: mark, permission: 'sending_access' };
  const made = await host.request<{ token: string }>('POST', '/api-keys', { token: full, body });
  return { mark, full, sending: made.body.token };
}

async function idsOf(host: RunningHost, { full: token }: Account): Promise<string[]> {
  const { body } = await host.request<{ data: { id: string }[] }>('GET', '/api-keys', { token });
  return body.data.map(({ id }) => id);
}

/** One object of each kind, by its path. */
async function makeBelongings(host: RunningHost, account: Account): Promise<Map<string, { id: string; text: string }>> {
  const { mark, full: token } = account;
  const bodies: Record<string, object> = {
    '/topics': { name: mark, default_subscription: 'opt_in' },
    '/contacts': { email: `person@${mark}.test`, first_name: mark },
    '/templates': { name: mark, html: mark },
    '/emails': {
      from: `from@${mark}.test`,
      to: `to@${mark}.test`,
      subject: mark,
      text: mark,
      scheduled_at: '2096-01-01T00:00:00Z',
    },
  };
  const made = new Map<string, { id: string; text: string }>();
  for (const [path, body] of Object.entries(bodies)) {
    const { id } = (await host.request<{ id: string }>('POST', path, { token, body })).body;
    const { text } = await host.request('GET', `${path}/${id}`, { token });
    made.set(`${path}/${id}`, { id, text });
  }
  return made;
}

/** Changes of another account's rows. */
async function changesOf(
  host: RunningHost,
  { full: token }: Account,
  belongings: ReadonlyMap<string, { text: string }>,
): Promise<string[]> {
  const changes: string[] = [];
  for (const [path, { text }] of belongings) {
    const answer = await host.request('GET', path, { token });
    if (answer.text !== text) changes.push(`Another account changed ${path}: ${answer.text.slice(0, 300)}`);
  }
  return changes;
}

/** Accepts all mail and stores none. */
async function startSink(): Promise<number> {
  const sink = await SmtpServer.start({
    extensions: ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'SIZE 100000000'],
    next: () => undefined,
    take: () => {},
  });
  afterFile(() => sink.close());
  return sink.port;
}

/** Accepts all webhooks. */
async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}
