import { prepareHost, type RunningHost, startHost } from '../support/hosts/host.js';
import { runScript } from '../support/hosts/host-process.js';
import { nextVersion } from '../support/hosts/next-version.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Changes of an additive migration, to the tables that every email passes through. */
const EXPAND = `
  ALTER TABLE nestjs_emails.emails ADD COLUMN next_origin text NOT NULL DEFAULT 'unknown', ADD COLUMN next_note text;
  ALTER TABLE nestjs_emails.deliveries ADD COLUMN next_priority integer NOT NULL DEFAULT 0;
  ALTER TABLE nestjs_emails.events ADD COLUMN next_detail jsonb;
  CREATE INDEX next_by_origin ON nestjs_emails.emails (next_origin);
  CREATE TABLE nestjs_emails.next_things (id bigserial PRIMARY KEY, email_id uuid REFERENCES nestjs_emails.emails);
  ALTER TABLE nestjs_emails.accounts ADD COLUMN next_plan text NOT NULL DEFAULT 'free'`;

let sink: SmtpSink;

beforeAll(async () => {
  sink = await SmtpSink.start();
});

/** An API of this version, which has the database, and a worker of this version. */
async function thisVersion(): Promise<{ api: RunningHost; worker: RunningHost }> {
  const api = await startHost({ role: 'api', smtp: sink });
  return { api, worker: await startHost({ role: 'worker', beside: api, smtp: sink }) };
}

/** Emails that this API accepts are listed as sent, whichever worker sends them. */
async function works(api: RunningHost): Promise<void> {
  await untilShown(api, await post(api, 'to@to.test'), 'sent');
}

describe('an upgrade to the next version', () => {
  it('keeps old processes working next to new ones, in either order', async () => {
    const next = nextVersion('ExpandForNext', EXPAND);
    const { api, worker } = await thisVersion();
    const newApi = await prepareHost({ role: 'api', beside: api, smtp: sink, version: next });
    const newWorker = await prepareHost({ role: 'worker', beside: api, smtp: sink, version: next });

    await works(api);
    expect((await newApi.runToEnd()).output).toContain('(pending: ExpandForNext1999999999999)');

    expect(await runScript('migrate', [], newApi.env, next)).toMatchObject({ code: 0 });
    await works(api);
    await newApi.start();
    await works(newApi);

    // An old worker that dies in the middle of the upgrade restarts.
    await worker.kill();
    await worker.start();
    await works(newApi);
    await works(api);

    await worker.stop();
    await newWorker.start();
    await works(api);
    await works(newApi);
    expect((await api.request<{ data: unknown[] }>('GET', '/emails')).body.data).toHaveLength(7);
  });

  it('with a removal prevents the start of the old version, with the reason', async () => {
    const next = nextVersion('ContractForNext', 'DROP TABLE nestjs_emails.rate_limits');
    const { api, worker } = await thisVersion();
    expect(await runScript('migrate', [], api.env, next)).toMatchObject({ code: 0 });
    await worker.stop();
    for (const old of [worker, await prepareHost({ role: 'api', beside: api })]) {
      const { code, output } = await old.runToEnd();
      expect(code).toBe(1);
      expect(output).toMatch(/The database is too new for this version.*ContractForNext1999999999999/);
    }
  });
});
