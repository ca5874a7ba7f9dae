import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { attemptsOf, post, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { RawConnection } from '../support/requests/raw-connection.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const EMAIL = { from: 'sender@from.test', to: 'to@to.test', subject: 'Hello', text: 'Hello there' };

let sink: SmtpSink;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
});

beforeEach(async () => {
  sink.reset();
  host = await startHost({ smtp: sink, env: { SMTP_HOP: 'final' } });
});

afterEach(() => host.kill());

/** Posts from several clients, one email after the other, until the host accepts no more connections. */
async function postUntilClosed(clients: number): Promise<{ ids: string[]; otherAnswers: number[] }> {
  const ids: string[] = [];
  const otherAnswers: number[] = [];
  const client = async () => {
    for (;;) {
      const answer = await host.request<{ id: string }>('POST', '/emails', { body: EMAIL }).catch(() => undefined);
      if (!answer) return;
      if (answer.status === 200) ids.push(answer.body.id);
      else otherAnswers.push(answer.status);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { ids, otherAnswers };
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('under load stops the host gracefully, and every accepted email is sent once', async () => {
    const posting = postUntilClosed(8);
    await sink.waitFor(30);
    expect(await host.stop(signal)).toBe(0);
    const { ids, otherAnswers } = await posting;
    expect(ids.length).toBeGreaterThanOrEqual(30);
    // An accepted connection is served, without errors that another process could have avoided.
    expect(otherAnswers).toEqual([]);

    await host.start();
    await untilSettled(host, ids);
    const messageIds = sink.messages.map(({ raw }) => /^message-id: <(.+)@/im.exec(raw.toString())?.[1]);
    expect(messageIds.sort()).toEqual(ids.sort());
  });
});

it('an attempt on the wire is finished before the host ends', async () => {
  let release: (() => void) | undefined;
  sink.onMessage = () =>
    new Promise((resolve) => {
      release = () => resolve(undefined);
    });
  const id = await post(host, 'to@to.test');
  await until(() => release);
  const stopping = host.stop('SIGTERM');
  // A request that still gets through is served: this one is for the next process.
  const late = await host.request<{ id: string }>('POST', '/emails', { body: EMAIL }).catch(() => undefined);
  release?.();
  expect(await stopping).toBe(0);

  const attempts = await attemptsOf(host, id);
  expect(attempts).toEqual([expect.objectContaining({ unknown: false })]);
  expect(attempts[0]?.outcomes?.[0]?.outcome).toBe('accepted');
  expect(sink.messages).toHaveLength(1);

  delete sink.onMessage;
  await host.start();
  await untilShown(host, id, 'delivered');
  if (late) await untilShown(host, late.body.id, 'delivered');
  expect(sink.offered).toHaveLength(late ? 2 : 1);
});

it('an idle host ends before one that waits for a body, also with a kept connection', async () => {
  const busy = await startHost({ smtp: sink });
  await RawConnection.open(
    busy.url,
    `POST /emails HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${busy.token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  const { Agent, get } = await import('node:http');
  const agent = new Agent({ keepAlive: true });
  await new Promise((resolve) =>
    get(`${host.url}/health/live`, { agent }, (answer) => answer.resume().once('end', resolve)),
  );
  const ended: string[] = [];
  // The missing body has ten seconds.
  const waiting = busy.stop('SIGTERM').then((code) => ended.push(`busy ${code}`));
  const idle = host.stop('SIGTERM').then((code) => ended.push(`idle ${code}`));
  await Promise.all([idle, waiting]);
  expect(ended).toEqual(['idle 0', 'busy 0']);
  agent.destroy();
});
