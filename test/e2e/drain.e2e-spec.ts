import type { SendEmail } from 'nestjs-emails';
import { until } from '../support/basics/wait-for.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const OPTIONS = { delivery: { sweepInterval: 300 } };

const send = ({ emails }: HostTools, to: string) =>
  emails.send('one', { from: 'from@from.test', to, subject: 'Hello', text: 'Hello' } as SendEmail);
const drain = ({ emails }: HostTools, milliseconds: number) =>
  emails.drain({ until: new Date(Date.now() + milliseconds) });

let sink: SmtpSink;
let host: SmallHost;

beforeEach(async () => {
  sink = await SmtpSink.start();
  host = await SmallHost.start(sink, OPTIONS);
});

const states = () =>
  host.query<{ state: string; count: number }>(
    'SELECT last_event AS state, count(*)::integer AS count FROM nestjs_emails.deliveries GROUP BY 1 ORDER BY 1',
  );

describe(`a drain, queue on ${queueKind()}`, () => {
  it('finishes the messages on the wire, takes nothing new, and leaves the rest to another process', async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let held = 0;
    sink.onMessage = async () => {
      held++;
      await gate;
      return undefined;
    };
    const count = 40;
    const ids = (await Promise.all(Array.from({ length: count }, (_, n) => host.run(send, `d${n}@to.test`)))).map(
      ({ id }) => id,
    );
    await until(() => held > 0);
    const late = await host.run(drain, 1);
    expect(late.inProgress).toBeGreaterThan(0);
    goOn();
    const done = await host.run(drain, 30_000);
    expect(done.inProgress).toBe(0);
    const sent = (await states()).find(({ state }) => state === 'sent')?.count ?? 0;
    expect(sent).toBe(sink.messages.length);
    const { id } = await host.run(send, 'later@to.test');
    await until(async () => (await host.run(drain, 0)).due > count - sent);
    expect((await host.request('GET', '/emails?limit=1')).status).toBe(200);
    expect(sink.messages).toHaveLength(sent);
    await host.stop();
    await host.start();
    for (const one of [...ids, id]) await untilShown(host, one, 'sent');
    expect(sink.messages).toHaveLength(count + 1);
  });

  it('ends at once without work, and is refused without a date', async () => {
    const before = Date.now();
    expect(await host.run(drain, 60_000)).toEqual({ inProgress: 0, due: 0 });
    expect(Date.now() - before).toBeLessThan(30_000);
    await expect(host.run(({ emails }) => emails.drain({ until: new Date(Number.NaN) }))).rejects.toThrow('valid date');
    await expect(host.run(({ emails }) => emails.drain({ till: 1 } as never))).rejects.toThrow('till');
  });
});
