import { setTimeout } from 'node:timers/promises';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const MANY = 60;

const postMany = (host: RunningHost, length: number) =>
  Promise.all(Array.from({ length }, (_, n) => post(host, `to${n}@to.test`)));

describe('limits of a transport', () => {
  it('hold for all processes together: recipients leave one interval after the other', async () => {
    const sink = await SmtpSink.start();
    const times: number[] = [];
    sink.onMessage = () => {
      times.push(performance.now());
      return undefined;
    };
    const smtp = `${sink.url}?maxPerSecond=20`;
    const host = await startHost({ smtp });
    const other = await startHost({ smtp, beside: host, role: 'worker' });
    await postMany(host, MANY);
    await until(() => times.length === MANY, { timeout: host.seconds(30) });
    // A late one comes together with the next ones: half a second's worth in front of each window.
    for (const [at, time] of times.entries()) {
      const later = times[at + 30];
      if (later !== undefined) expect(later - time).toBeGreaterThan(900);
    }
    expect(new Set(sink.messages.map(({ envelope }) => envelope.to[0])).size).toBe(MANY);
    await other.stop();
  });

  it('of a day leave the rest to another transport, and come back with the next day', async () => {
    const [first, second] = [await SmtpSink.start(), await SmtpSink.start()];
    const host = await startHost({ smtp: `${first.url}?maxPerDay=10,${second.url}` });
    await postMany(host, 25);
    await until(() => first.messages.length + second.messages.length === 25, { timeout: host.seconds(30) });
    expect([first.messages.length, second.messages.length]).toEqual([10, 15]);
    const [row] = await host.query<{ used: string }>('SELECT used FROM nestjs_emails.transport_permits');
    expect(Number(row?.used)).toBe(10);
    await host.query('UPDATE nestjs_emails.transport_permits SET day = day - 1');
    await host.stop();
    await host.start();
    await post(host, 'tomorrow@to.test');
    await first.waitFor(({ envelope }) => envelope.to[0] === 'tomorrow@to.test');
  });

  it('of a day make mail wait where no other transport may take it, and no attempt counts', async () => {
    const sink = await SmtpSink.start();
    const host = await startHost({ smtp: `${sink.url}?maxPerDay=5`, env: { RETRY_SCHEDULE: '1h,1h' } });
    await postMany(host, 8);
    await sink.waitFor(5);
    const waiting = async () =>
      (
        await host.query<{ count: number }>(
          "SELECT count(*)::integer AS count FROM nestjs_emails.deliveries WHERE last_event = 'delivery_delayed' AND attempts = 0 AND due_at > now() + interval '1 minute'",
        )
      )[0]?.count === 3;
    await until(waiting, { timeout: host.seconds(20) });
    expect(sink.messages).toHaveLength(5);
  });

  it('do not stand still for a clock of the database that was wrong, and count a day once', async () => {
    const sink = await SmtpSink.start();
    const host = await startHost({ smtp: `${sink.url}?maxPerSecond=1&maxPerDay=10` });
    const leave = (seconds: number, used: number, days: number) =>
      host.query(
        `UPDATE nestjs_emails.transport_permits
         SET next_at = now() + ${seconds} * interval '1 second', used = ${used}, day = (now() AT TIME ZONE 'UTC')::date + ${days}`,
      );
    const row = async () =>
      (
        await host.query<{ used: string; isAhead: boolean }>(
          `SELECT used, next_at > now() + interval '1 minute' AS "isAhead" FROM nestjs_emails.transport_permits`,
        )
      )[0];
    await post(host, 'first@to.test');
    await sink.waitFor(1);
    // One message to 150 recipients moves the time so far, and nothing further.
    await leave(155, 1, 0);
    await post(host, 'second@to.test');
    await sink.waitFor(2);
    await leave(145, 2, 1);
    await post(host, 'third@to.test');
    await setTimeout(1_000);
    expect([sink.messages.length, (await row())?.isAhead]).toEqual([2, true]);
    await leave(0, 10, 1);
    await host.stop();
    await host.start();
    await post(host, 'fourth@to.test');
    await setTimeout(1_000);
    expect(Number((await row())?.used)).toBe(10);
    expect(sink.messages).toHaveLength(2);
  });
});
