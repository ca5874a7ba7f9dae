import type { SendEmail } from 'nestjs-emails';
import { eventually } from '../support/basics/wait-for.js';
import { letter } from '../support/hosts/contract-host.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { SmallHost } from '../support/hosts/small-host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const ADMIN_TOKEN = 'operators-only-0123456789';
const env = { ADMIN_TOKEN, SMTP_HOP: 'final' };

let sink: SmtpSink;

beforeAll(async () => {
  sink = await SmtpSink.start();
});

beforeEach(() => sink.reset());

async function waiting(host: RunningHost): Promise<number> {
  const { text } = await host.request('GET', '/metrics', { token: ADMIN_TOKEN });
  return Number(/^emails_queue_jobs\{state="waiting"\} (\d+)$/m.exec(text)?.[1]);
}

it('several queues deliver what several accounts send, and fewer of them afterwards lose nothing', async () => {
  const api = await startHost({ role: 'api', smtp: sink, env: { ...env, QUEUE_SHARDS: '5' } });
  await post(api, 'to@to.test');
  const untilWaiting = (count: number) => eventually(async () => expect(await waiting(api)).toBe(count));
  const others = [];
  for (const name of ['Ann', 'Bob', 'Eve']) others.push((await api.account(name)).token);
  const body = { from: 'Sender <sender@from.test>', to: 'to@to.test', subject: 'Hello', text: 'Hello' };
  const send = async (token: string) => {
    const answer = await api.request<{ id: string }>('POST', '/emails', { body, token });
    expect(answer.status).toBe(200);
  };
  // One after the other: emails of accounts with the same queue could share a job.
  await untilWaiting(1);
  for (const [index, token] of others.entries()) {
    await send(token);
    await untilWaiting(index + 2);
  }

  const worker = await startHost({ role: 'worker', beside: api, smtp: sink, env: { ...env, QUEUE_SHARDS: '5' } });
  await sink.waitFor(4);
  await untilShown(api, await post(api, 'to@to.test'), 'delivered', { timeout: worker.seconds(2) });
  await worker.stop();

  // Four of the five queues have no worker any more: the sweep uses the first one.
  for (const token of others) await send(token);
  await startHost({ role: 'worker', beside: api, smtp: sink, env });
  await sink.waitFor(8);
});

it('each queue has a worker: without the sweep, emails of accounts in both are delivered', async () => {
  const host = await SmallHost.start(sink, { queueShards: 2, delivery: { sweepInterval: 600_000 } });
  // Their queues are the second and the first.
  for (const account of ['one', 'two']) {
    const { id } = await host.run(
      ({ emails }, account, email) => emails.send(account, email),
      account,
      letter() as unknown as SendEmail,
    );
    await sink.waitFor(({ raw }) => raw.includes(`<${id}@`));
  }
});
