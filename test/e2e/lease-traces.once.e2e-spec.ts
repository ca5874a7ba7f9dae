import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type PostgresExchange, postgresTap } from '../faults/wire/postgres-tap.js';
import { isLease } from '../faults/world/statements.js';
import type { Faults } from '../model/lease-model.js';
import { checkTraces, readTrace, type TracedStep } from '../model/trace-check.js';
import { until } from '../support/basics/wait-for.js';
import { SmallHost } from '../support/hosts/small-host.js';
import { post } from '../support/reading/deliveries.js';
import { freshDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const RECORDER = fileURLToPath(new URL('../support/hosts/record-trace.mjs', import.meta.url));
/** Milliseconds. */
const LEASE = 3_000;
const SCHEDULE = [500, 500, 500, 500, 500];

let sinks: [SmtpSink, SmtpSink];
let database: TestDatabase;
let postgres: TcpProxy<PostgresExchange>;
let trace: string;
let first: SmallHost;
let second: SmallHost;

/** A host with both relays, whose steps are recorded. */
async function hostOf(databaseUrl: string): Promise<SmallHost> {
  const options = { delivery: { lease: LEASE, retrySchedule: SCHEDULE, sweepInterval: 300 } };
  const settings = { databaseUrl, smtpUrls: sinks.map(({ url }) => url) };
  const host = await SmallHost.prepare(sinks[0], options, database, [], settings);
  Object.assign(host.env, { NODE_OPTIONS: `--import=${RECORDER}`, DELIVERY_TRACE: trace });
  return host;
}

beforeEach(async () => {
  sinks = [await SmtpSink.start(), await SmtpSink.start()];
  database = await freshDatabase();
  trace = join(tmpdir(), `trace-${randomBytes(8).toString('hex')}.jsonl`);
  const { hostname, port } = new URL(database.url);
  postgres = await TcpProxy.start(hostname, Number(port), postgresTap);
  first = await hostOf(postgres.through(database.url));
  second = await hostOf(database.url);
  await first.start();
});

afterEach(async () => {
  await Promise.all([first, second].filter(({ isRunning }) => isRunning).map((host) => host.kill()));
});

const steps = (): TracedStep[] => (existsSync(trace) ? readTrace(trace) : []);
const stepsOf = ({ pid }: SmallHost) => steps().filter(({ process }) => process === pid);
const has = (host: SmallHost, step: TracedStep['step']) => stepsOf(host).some((one) => one.step === step);
const untilStep = (host: SmallHost, step: TracedStep['step']) =>
  until(() => has(host, step), { what: `the step ${step}`, timeout: first.seconds(30) });

/** Waits until nothing is left to do with the email, for a limited time: the check says more than this does. */
async function untilOver(id: string): Promise<void> {
  const isOver = async () => {
    const [row] = await database.query<{ over: boolean }>(
      'SELECT due_at IS NULL AS over FROM nestjs_emails.deliveries WHERE email_id = $1',
      [id],
    );
    return row?.over;
  };
  await until(isOver, { timeout: first.seconds(20) }).catch(() => {});
  // The last step of a worker is written a moment after PostgreSQL has it.
  await delay(300);
}

/** Fails with the first step that the model does not have. */
function expectInModel(faults: Partial<Faults>): void {
  const relays = sinks.map(({ port }) => [`127.0.0.1:${port}`]);
  expect(checkTraces(steps(), { faults, relays, attempts: SCHEDULE.length + 1, isOver: true })).toEqual([]);
}

/** Reached messages of both sinks are answered when the test says so, in their order. */
function holdMessages(): { held: () => number; answer: (index: number) => void } {
  const answers: (() => void)[] = [];
  for (const sink of sinks) sink.onMessage = () => new Promise((resolve) => answers.push(() => resolve(undefined)));
  return { held: () => answers.length, answer: (index) => answers[index]?.() };
}

describe('the steps of real workers are in the model', () => {
  it('while a relay answers after three leases', async () => {
    await second.start();
    const { held, answer } = holdMessages();
    const id = await post(first, 'late@to.test');
    await until(() => held() > 0);
    await delay(3.2 * LEASE);
    answer(0);
    answer(1);
    await untilOver(id);
    expectInModel({});
    expect(steps().map(({ step }) => step)).toEqual(['lease', 'attempt', 'wire', 'answer', 'settlement']);
  });

  it('when a worker is stopped between its lease and its attempt, and goes on while another one sends', async () => {
    const leased = postgres.trap('answer', (exchange) => isLease(exchange) && exchange.rows.some(([, fence]) => fence));
    const { held, answer } = holdMessages();
    const id = await post(first, 'stopped@to.test');
    await leased.sprung;
    process.kill(first.pid as number, 'SIGSTOP');
    leased.release();
    await second.start();
    await until(() => held() > 0, { timeout: first.seconds(30) });
    process.kill(first.pid as number, 'SIGCONT');
    await untilStep(first, 'settlement');
    answer(0);
    await untilOver(id);
    expectInModel({ freeze: 1 });
    expect(stepsOf(first).map(({ step, recorded }) => [step, recorded])).toEqual([
      ['lease', undefined],
      ['settlement', false],
    ]);
  });

  it('when a worker is stopped on the wire, and gets its answer while another one sends', async () => {
    const { held, answer } = holdMessages();
    const id = await post(first, 'stalled@to.test');
    await until(() => held() > 0);
    process.kill(first.pid as number, 'SIGSTOP');
    await second.start();
    await until(() => held() > 1, { timeout: first.seconds(30) });
    process.kill(first.pid as number, 'SIGCONT');
    answer(0);
    await untilStep(first, 'settlement');
    answer(1);
    await untilOver(id);
    expectInModel({ stall: 1 });
    expect(stepsOf(first).at(-1)).toMatchObject({ step: 'settlement', fence: 1, recorded: false });
    expect(stepsOf(second).at(-1)).toMatchObject({ step: 'settlement', fence: 2, recorded: true });
  });

  it('when a worker is killed on the wire', async () => {
    const { held } = holdMessages();
    const id = await post(first, 'killed@to.test');
    await until(() => held() > 0);
    await first.kill();
    for (const sink of sinks) delete sink.onMessage;
    await second.start();
    await untilOver(id);
    expectInModel({ crash: 1 });
    expect(stepsOf(second).map(({ step }) => step)).toEqual(['lease', 'attempt', 'wire', 'answer', 'settlement']);
  });

  it('when the first relay is away', async () => {
    await second.start();
    sinks[0].onConnect = () => '421 4.3.2 busy';
    sinks[0].cut();
    const id = await post(first, 'away@to.test');
    await untilOver(id);
    expectInModel({ away: 2 });
    expect(steps().filter(({ step }) => step === 'move')).toHaveLength(1);
    expect(sinks[1].messages).toHaveLength(1);
  });

  it('when the first relay refuses for a time after DATA', async () => {
    await second.start();
    sinks[0].onMessage = () => '451 4.3.0 later';
    const id = await post(first, 'content@to.test');
    await untilOver(id);
    expectInModel({ refusal: 1 });
    expect(steps().filter(({ step }) => step === 'answer')).toMatchObject([
      { outcomes: [{ kind: 'refused', stage: 'dot' }] },
      { outcomes: [{ kind: 'accepted' }] },
    ]);
  });
});
