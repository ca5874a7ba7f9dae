import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const ADMIN_TOKEN = 'operators-only-0123456789';
const env = { ADMIN_TOKEN, SMTP_HOP: 'final' };

let sink: SmtpSink;

beforeAll(async () => {
  sink = await SmtpSink.start();
});

async function waiting(host: RunningHost): Promise<number> {
  const { text } = await host.request('GET', '/metrics', { token: ADMIN_TOKEN });
  return Number(/^emails_queue_jobs\{state="waiting"\} (\d+)$/m.exec(text)?.[1]);
}

it('several queues deliver what several accounts send, and fewer of them afterwards lose nothing', async () => {
  const api = await startHost({ role: 'api', smtp: sink, env: { ...env, QUEUE_SHARDS: '5' } });
  await post(api, 'to@to.test');
  const others = [];
  for (const name of ['Ann', 'Bob', 'Eve']) others.push((await api.account(name)).token);
  const body = { from: 'Sender <sender@from.test>', to: 'to@to.test', subject: 'Hello', text: 'Hello' };
  const send = async (token: string) => {
    const answer = await api.request<{ id: string }>('POST', '/emails', { body, token });
    expect(answer.status).toBe(200);
  };
  for (const token of others) await send(token);
  await eventually(async () => expect(await waiting(api)).toBe(4));

  const worker = await startHost({ role: 'worker', beside: api, smtp: sink, env: { ...env, QUEUE_SHARDS: '5' } });
  await sink.waitFor(4);
  await untilShown(api, await post(api, 'to@to.test'), 'delivered', { timeout: worker.seconds(2) });
  await worker.stop();

  // Nobody takes from four of the five queues any more: the sweep asks in the first one.
  for (const token of others) await send(token);
  await startHost({ role: 'worker', beside: api, smtp: sink, env });
  await sink.waitFor(8);
});
