import { setTimeout as delay } from 'node:timers/promises';
import { postRequest, postRequests, smallEmail } from '../support/message.js';
import { residentMemory, type Side, type Stage, TOKEN } from '../support/stage.js';
import { oursDelivers, preload } from './delivery.js';
import { postRate, refuseErrors, withSide } from './post.js';
import { figure, inTurn, quotient, type Row } from './row.js';

const MB = 1_000_000;
/** Delay after which a started process has settled. Milliseconds. */
const SETTLED = 5_000;

async function settledMemory({ pid }: Side): Promise<number> {
  await delay(SETTLED);
  return residentMemory(pid) / MB;
}

export const memory: Row = {
  name: 'memory',
  title: 'Memory of the host, idle and with waiting emails, Redis queue',
  once: true,
  ratios: [
    { what: 'idle, MB', of: figure('idle MB'), atMost: 150 },
    {
      what: 'more with waiting emails, MB',
      of: (figures) => figure('waiting MB')(figures) - figure('idle MB')(figures),
      atMost: 20,
    },
  ],
  async round(stage, { waiting }) {
    const place = await stage.place('redis');
    const idle = await withSide(stage.ours(place, 'all'), settledMemory);
    const later = { scheduled_at: new Date(Date.now() + 86_400_000).toISOString() };
    const accepted = await withSide(stage.ours(place, 'all'), async (side) => {
      const load = { port: side.port, requests: postRequests(TOKEN, 100, later), connections: 50, count: waiting };
      refuseErrors((await stage.load(load)).statuses);
      return settledMemory(side);
    });
    const withWaiting = await withSide(stage.ours(place, 'all'), settledMemory);
    await place.drop();
    return { waiting, 'idle MB': idle, 'waiting MB': withWaiting, 'after accepting them MB': accepted };
  },
};

export const start: Row = {
  name: 'start',
  title: 'From the second start of a host for which nothing is configured until it is ready',
  short: {
    seconds: 9,
    about: [
      'apps/host/src/',
      'libs/emails/src/access/migrations/',
      'libs/emails/src/audience/migrations/',
      'libs/emails/src/emails/storage/migrations/',
      'libs/emails/src/shared/migrations/',
      'libs/emails/src/templates/migrations/',
      'libs/emails/src/webhooks/migrations/',
      'test/bench/rows/resources.ts',
    ],
  },
  ratios: [
    { what: 'seconds', of: figure('seconds'), atMost: 3, absolute: true },
    { what: 'ours / floor', of: quotient('seconds', 'floor seconds'), atMost: 3 },
  ],
  round: (stage, _scale, turn) =>
    inTurn(turn, { seconds: () => stage.secondStart(), 'floor seconds': () => stage.floorStart() }),
};

const SIZES = `
SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'nestjs_emails'::regnamespace`;
const CONTENT = `
SELECT sum(octet_length(from_mailbox) + octet_length(array_to_string(to_mailboxes, ',')) + octet_length(subject)
  + octet_length(coalesce(html, '')) + octet_length(coalesce(text, '')) + octet_length(tags::text))::float8 AS bytes
FROM nestjs_emails.emails`;

export const bytes: Row = {
  name: 'bytes',
  title: 'Database bytes of a small delivered email without words to search for, indexes and events included',
  once: true,
  ratios: [{ what: 'beyond its content', of: figure('beyond content'), atMost: 1_900 }],
  async round(stage, { emails }) {
    const place = await stage.place('redis');
    const size = async (sql: string) => (await place.query<{ bytes: number | null }>(sql))[0]?.bytes ?? 0;
    const before = await size(SIZES);
    await oursDelivers(stage, place, emails, 1, { search: false });
    await place.query('VACUUM ANALYZE');
    const all = ((await size(SIZES)) - before) / emails;
    const content = (await size(CONTENT)) / emails;
    await place.drop();
    return { 'all bytes': all, 'content bytes': content, 'beyond content': all - content };
  },
};

/** Bytes of the log of PostgreSQL since its start. Only one database of a run is in use. */
const LOGGED = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes";

export const logged: Row = {
  name: 'logged',
  title:
    "Bytes that a small email adds to PostgreSQL's log, and needs in Redis while it waits, without words to search for",
  once: true,
  ratios: [],
  async round(stage, { emails }) {
    const place = await stage.place('redis');
    const sizes = async () => ({
      log: (await place.query<{ bytes: number }>(LOGGED))[0]?.bytes ?? 0,
      memory: await stage.redisMemory(),
    });
    const measured = async (count: number, work: () => Promise<unknown>) => {
      const before = await sizes();
      await work();
      const after = await sizes();
      await place.clearQueue();
      return { log: (after.log - before.log) / count, memory: (after.memory - before.memory) / count };
    };
    const variant = { search: false };
    const accepted = (count: number, connections: number) =>
      measured(count, () => preload(stage, stage.ours(place, 'api', variant), count, undefined, connections));
    const crowded = await accepted(emails, 50);
    const single = await accepted(emails / 10, 1);
    const whole = await measured(emails, () => oursDelivers(stage, place, emails, 1, variant));
    await place.drop();
    return {
      'log bytes': whole.log,
      'log bytes of POST': crowded.log,
      'Redis bytes, 50 callers': crowded.memory,
      'Redis bytes, one caller': single.memory,
    };
  },
};

const UPLOAD = 25_000_000;

export const uploads: Row = {
  name: 'uploads',
  title: 'p99 of 200 small POSTs a second while attachments of 25 MB are uploaded',
  ratios: [{ what: 'with / without', of: quotient('with p99 ms', 'without p99 ms'), atMost: 5 }],
  async round(stage: Stage, { seconds }) {
    const place = await stage.place('redis');
    const figures = await withSide(stage.ours(place, 'api'), async (side) => {
      await postRate(stage, side, seconds);
      const small = () =>
        stage.load({
          port: side.port,
          requests: postRequests(TOKEN),
          connections: 50,
          rate: 200,
          seconds: seconds * 2,
        });
      const without = await small();
      const content = Buffer.alloc(UPLOAD, 'abc').toString('base64');
      const large = postRequest(TOKEN, { ...smallEmail(0), attachments: [{ filename: 'large.bin', content }] });
      const besides = await stage.besides({
        port: side.port,
        requests: [large],
        connections: 2,
        seconds: seconds * 2 + 1,
      });
      const beside = await small();
      const { sent, statuses } = await besides.result;
      refuseErrors(statuses);
      await besides.stop();
      return { uploads: sent, 'without p99 ms': without.p99, 'with p99 ms': beside.p99, 'with p50 ms': beside.p50 };
    });
    await place.drop();
    return figures;
  },
};
