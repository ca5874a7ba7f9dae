import { until } from '../../basics/wait-for.js';
import { type RunningHost, startHost } from '../../hosts/host.js';
import { DashboardClient } from '../../requests/dashboard-client.js';
import { TcpProxy } from '../../servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../../servers/smtp/smtp-sink.js';
import { OPERATORS_TOKEN } from './shop.js';
import { SHOP_EMAILS } from './shop-emails.js';

/** Emails that wait for the relay. */
export const WAITING = 12;

export interface Outage {
  host: RunningHost;
  /** Host and port of the relay, and the time at which it was lost. */
  relay: string;
  lost: Date;
}

/** A host whose relay is down, with emails that wait for it. */
export async function startOutage(): Promise<Outage> {
  const sink = await SmtpSink.start();
  const proxy = await TcpProxy.start('127.0.0.1', sink.port);
  const smtp = proxy.through(sink.url);
  const host = await startHost({ smtp, env: { ADMIN_TOKEN: OPERATORS_TOKEN, RETRY_SCHEDULE: '10m,10m' } });
  await proxy.refuse();
  const lost = new Date();
  for (const { scheduled_at: _, ...body } of SHOP_EMAILS.slice(0, WAITING)) {
    const { status } = await host.request('POST', '/emails', { body });
    if (status !== 200) throw new Error(`An email is answered ${status}.`);
  }
  const client = await DashboardClient.signedIn(host);
  await until(async () => {
    const { degraded } = (await client.ask<{ degraded: { waiting: number } | null }>('GET', '/status')).body;
    return degraded?.waiting === WAITING;
  });
  return { host, relay: new URL(smtp).host, lost };
}
