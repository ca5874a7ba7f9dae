import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../support/basics/random.js';
import { until } from '../../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../../support/hosts/host.js';
import type { Extent } from '../extent.js';
import { RandomServer } from './random-server.js';
import type { Temper } from './random-session.js';
import { type Sent, type Stored, violations } from './verdict.js';

/** Lifetime of one server, after which another one with another host starts. Seconds. */
const ROUND = 30;
/** Emails of one batch, and the limit of pending emails. */
const BATCH = 40;
const WAITING = 80;
/** Interval of checks of the pending emails. Milliseconds. */
const LOOK = 100;
const DOMAINS = 50;

/**
 * Few connections, so that envelopes are pipelined after final dots; retries are quick and sufficient. Timeouts are
 * long enough for a busy machine.
 */
const QUERY = '?maxConnections=3&connectionTimeout=5000&greetingTimeout=5000&socketTimeout=5000';
const RETRIES = Array(100).fill('300ms').join();

const STORED = `
SELECT email_id AS id, due_at IS NOT NULL AS due, last_event, recipients FROM nestjs_emails.deliveries`;

/**
 * Sends emails through hosts to random servers. Resolves with lost emails, and with second copies without a reason, in
 * words; `say` receives the progress.
 */
export async function fuzzSmtp({ seed, seconds, say }: Extent): Promise<string[]> {
  const rounds = Math.max(1, Math.round(seconds / ROUND));
  const found: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const own = await runRound(new Random(`${seed}:smtp:${round}`), seconds / rounds, (text) =>
      say(`${round}: ${text}`),
    );
    found.push(...own.map((text) => `round ${round}: ${text}`));
  }
  return found;
}

async function runRound(random: Random, seconds: number, say: (text: string) => void): Promise<string[]> {
  const server = await RandomServer.start(random.branch('server'));
  const hop = random.pick(['relay', 'final']);
  const oddity = random.pick([0.03, 0.06, 0.12]);
  const host = await startHost({
    smtp: `smtp://127.0.0.1:${server.port}${QUERY}`,
    env: { RETRY_SCHEDULE: RETRIES, SMTP_HOP: hop, SECRET_KEY: undefined },
  });
  const client = new Client(host, random.branch('client'));
  // After a server has lost count, pipelining stops for a minute, so this comes last.
  const tempers: [share: number, temper: Temper][] = [
    [0.65, { pipelining: true, isInStep: true, oddity }],
    [0.1, { pipelining: false, isInStep: true, oddity }],
    [0.25, { pipelining: true, isInStep: false, oddity }],
  ];
  for (const [share, temper] of tempers) {
    server.temper = temper;
    await client.sendFor(share * seconds * 1_000);
  }
  server.calm();
  say(`${client.sent.length} emails accepted, ${await client.waiting()} of them not at their end`);
  // An email that is still pending then is a violation.
  await until(async () => (await client.waiting()) === 0, { interval: LOOK }).catch(() => {});
  const found = await violations(client.sent, await host.query<Stored>(STORED), server.ledger);
  const { copies, sessions, oddities } = server.ledger;
  const odd = [...oddities.values()].reduce((sum, count) => sum + count, 0);
  say(
    `${hop}, oddity ${oddity}: ${client.sent.length} emails, ${copies.length} copies, ${sessions} connections, ${odd} oddities`,
  );
  await host.kill();
  await server.close();
  return found;
}

/** Keeps the host's queue full. */
class Client {
  readonly sent: Sent[] = [];

  constructor(
    private readonly host: RunningHost,
    private readonly random: Random,
  ) {}

  async sendFor(milliseconds: number): Promise<void> {
    for (const end = performance.now() + milliseconds; performance.now() < end; ) {
      if ((await this.waiting()) < WAITING) await this.sendBatch();
      else await delay(LOOK);
    }
  }

  async waiting(): Promise<number> {
    const [row] = await this.host.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM nestjs_emails.deliveries WHERE due_at IS NOT NULL',
    );
    return row?.count ?? 0;
  }

  private async sendBatch(): Promise<void> {
    const emails = Array.from({ length: BATCH }, (_, index) => this.draw(this.sent.length + index));
    const body = emails.map(({ sender, to, text }) => ({ from: sender, to, subject: 'Random', text }));
    const answer = await this.host.request<{ data: { id: string }[] }>('POST', '/emails/batch', { body });
    if (answer.status !== 200) throw new Error(`A batch was answered ${answer.status}: ${answer.text}`);
    for (const [index, { id }] of answer.body.data.entries()) {
      this.sent.push({ id, ...(emails[index] as (typeof emails)[number]) });
    }
  }

  private draw(number: number) {
    const { random } = this;
    const recipients = random.chance(0.7) ? 1 : random.int(2, 4);
    const to = Array.from({ length: recipients }, (_, at) => `to${at}@${number}.d${random.int(1, DOMAINS)}.test`);
    const line = random.pick(['.', '.a', '', 'text', '..', 'ä'.repeat(40)]);
    const length = random.chance(0.03) ? random.int(10_000, 100_000) : random.int(0, 200);
    return { sender: `from${number}@from.test`, to, text: `${line}\n`.repeat(Math.ceil(length / (line.length + 1))) };
  }
}
