/** Computes the tables of scale.md from the recorded rows of the bench. */

/** Emails a day. */
const VOLUMES = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/** The busiest hour, in relation to the mean. */
export const PEAK = 4;
/** Part of a processor's time that is planned for. The rest is for what nobody planned: retries, housekeeping, vacuum. */
export const PLANNED = 0.5;
/** Bytes of header fields, SMTP dialogue and TCP of a message. Assumed. */
export const ENVELOPE = 1_500;
/** Connections of a worker to its next hop, and of a process to PostgreSQL, by default. */
const CONNECTIONS = 20;
/** Days for which the table has the disk. */
const DAYS = 90;
const SERVERS = ['host', 'PostgreSQL', 'Redis'];

/** Microseconds, bytes and rates of one email. `findings` are those of test/bench/recorded.json. */
export function unitsOf(findings) {
  const figure = (row, name) => {
    const value = findings.find((finding) => finding.name === row)?.figures[name];
    if (value === undefined) throw new Error(`test/bench/recorded.json has no figure "${name}" of the row ${row}.`);
    return value;
  };
  const times = (of) => Object.fromEntries(SERVERS.map((server) => [server, of(server)]));
  const accept = times((server) => figure('batch', `ten at once ${server} µs`));
  const deliver = times((server) => figure('distance-40', `ours CPU ${server} µs`));
  const notify = times((server) =>
    Math.max(
      0,
      figure('webhooks-delivery', `with CPU ${server} µs`) - figure('webhooks-delivery', `without CPU ${server} µs`),
    ),
  );
  return {
    accept,
    deliver,
    notify,
    all: times((server) => accept[server] + deliver[server] + notify[server]),
    sent: 1e6 / figure('webhooks-delivery', 'sent afterwards/s'),
    best: figure('together-postgres', 'ours on Redis CPU µs'),
    together: { redis: figure('together-redis', 'ours/s'), postgres: figure('together-postgres', 'ours/s') },
    ratePerWorker: figure('distance-40', 'ours/s'),
    disk: figure('bytes', 'all bytes'),
    content: figure('bytes', 'content bytes'),
    log: figure('logged', 'log bytes'),
    waiting: {
      crowded: figure('logged', 'Redis bytes, 50 callers'),
      single: figure('logged', 'Redis bytes, one caller'),
    },
    memory: figure('memory', 'idle MB'),
    workers: {
      one: { rate: figure('second-worker-distant', 'one/s'), time: figure('second-worker-distant', 'one CPU µs') },
      two: { rate: figure('second-worker-distant', 'two/s'), time: figure('second-worker-distant', 'two CPU µs') },
      local: { one: figure('second-worker', 'one/s'), two: figure('second-worker', 'two/s') },
    },
    alone: figure('batch', 'in turn µs'),
  };
}

/** Needs of a number of small emails a day, whose events are recorded for an endpoint. */
export function needsOf(units, perDay) {
  const mean = perDay / 86_400;
  const peak = PEAK * mean;
  const cores = Object.fromEntries(SERVERS.map((server) => [server, (peak * units.all[server]) / 1e6 / PLANNED]));
  const processes = Math.max(1, Math.ceil(cores.host));
  return {
    mean,
    peak,
    cores,
    processes,
    databaseConnections: processes * CONNECTIONS,
    smtpConnections: Math.ceil(peak / (units.ratePerWorker / CONNECTIONS)),
    diskADay: perDay * units.disk,
    disk: perDay * units.disk * DAYS,
    logASecond: peak * units.log,
    outASecond: peak * (units.content + ENVELOPE) * 8,
    backlog: peak * 3_600 * units.waiting.single,
  };
}

export function timesTable({ accept, deliver, notify, all, sent, best }) {
  const line = (what, times, row) => [what, ...SERVERS.map((server) => micros(times[server])), sum(times), row];
  return [
    ['processor time of a small email, µs', ...SERVERS, 'together', 'row'],
    [
      line('accepted: `POST /emails`, ten callers at once', accept, '`batch`'),
      line('delivered over a link of 40 ms', deliver, '`distance-40`'),
      line('its two events recorded for an endpoint for webhooks', notify, '`webhooks-delivery`, with less without'),
      line('**planned for**', all, 'sum'),
      [
        'on top: one event sent to an endpoint, at most, by one busy process',
        micros(sent),
        '',
        '',
        micros(sent),
        '`webhooks-delivery`, rate afterwards',
      ],
      [
        'accepted and delivered at full load on one machine, for comparison',
        '',
        '',
        '',
        micros(best),
        '`together-postgres`',
      ],
    ],
  ];
}

export function bytesTable({ disk, content, log, waiting, memory, together, ratePerWorker }) {
  const bytes = (value) => Math.round(value).toLocaleString('en');
  return [
    ['of', 'measured', 'row'],
    [
      [
        'a small email in PostgreSQL, with indexes and events, without words to search for',
        `${bytes(disk)} bytes`,
        '`bytes`',
      ],
      ['its own text, addresses and tags among these', `${bytes(content)} bytes`, '`bytes`'],
      ["the same email in PostgreSQL's log (WAL), from POST to its end", `${bytes(log)} bytes`, '`logged`'],
      ['a waiting email in Redis: accepted alone', `${bytes(waiting.single)} bytes`, '`logged`'],
      ['a waiting email in Redis: accepted among 50 at once', `${bytes(waiting.crowded)} bytes`, '`logged`'],
      ['memory of an idle process', `${bytes(memory)} MB`, '`memory`'],
      [
        'a worker with 20 connections, 40 ms away from its next hop',
        `${bytes(ratePerWorker)} emails/s`,
        '`distance-40`',
      ],
      [
        'one process that accepts and delivers, all servers on its two cores, queue in Redis',
        `${bytes(together.redis)} emails/s`,
        '`together-redis`',
      ],
      ['the same, queue in PostgreSQL', `${bytes(together.postgres)} emails/s`, '`together-postgres`'],
    ],
  ];
}

export function needsTable(units) {
  return [
    [
      'emails a day',
      'mean, peak /s',
      'cores: host, PostgreSQL, Redis',
      'processes',
      'connections: PostgreSQL, SMTP',
      `disk: a day, ${DAYS} days`,
      'log at peak',
      'to the next hop at peak',
      'Redis, an hour waits',
    ],
    VOLUMES.map((perDay) => {
      const needs = needsOf(units, perDay);
      return [
        perDay.toLocaleString('en'),
        `${short(needs.mean)}, ${short(needs.peak)}`,
        SERVERS.map((server) => atLeast(needs.cores[server])).join(', '),
        needs.processes.toLocaleString('en'),
        `${needs.databaseConnections.toLocaleString('en')}, ${needs.smtpConnections.toLocaleString('en')}`,
        `${size(needs.diskADay)}, ${size(needs.disk)}`,
        `${size(needs.logASecond)}/s`,
        `${short(needs.outASecond / 1e6)} Mbit/s`,
        size(needs.backlog),
      ];
    }),
  ];
}

export function coresTable({ workers: { one, two, local }, alone, accept }) {
  const ratio = (value) => value.toFixed(2);
  const growth = two.time / one.time;
  return [
    ['', 'one', 'two', 'two / one', 'row'],
    [
      [
        'delivery over 40 ms, emails/s',
        short(one.rate),
        short(two.rate),
        ratio(two.rate / one.rate),
        '`second-worker-distant`',
      ],
      [
        'its processor time of an email, µs',
        micros(one.time),
        micros(two.time),
        ratio(growth),
        '`second-worker-distant`',
      ],
      [
        'delivery on loopback, all servers and both workers on two cores, emails/s',
        short(local.one),
        short(local.two),
        ratio(local.two / local.one),
        '`second-worker`',
      ],
      [
        '**computed**: the time of an email with 4, 8 and 16 workers, in relation to one',
        '',
        '',
        [2, 3, 4].map((power) => ratio(growth ** power)).join(', '),
        'each doubling as the first',
      ],
      [
        '**limit**: the time of an accepted email without any group, in relation to the planned one',
        '',
        '',
        ratio(alone / totalOf(accept)),
        '`batch`',
      ],
    ],
  ];
}

/** A million small emails, whenever they are sent. */
export function millionTable(units) {
  const million = 1_000_000;
  return [
    ['a million small emails', ''],
    [
      ['processor time, all processes', `${short(totalOf(units.all) / 60)} minutes of one core`],
      ['disk', size(million * units.disk)],
      ["PostgreSQL's log", size(million * units.log)],
      ['sent to the next hop', size(million * (units.content + ENVELOPE))],
    ],
  ];
}

const micros = (value) => short(value);
const totalOf = (times) => SERVERS.reduce((total, server) => total + times[server], 0);
const sum = (times) => micros(totalOf(times));

const atLeast = (value) => (value < 0.1 ? '< 0.1' : short(value));

/** Two digits, or the whole number. */
function short(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)));
}

function size(bytes) {
  const unit = [
    ['PB', 1e15],
    ['TB', 1e12],
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ].find(([, least]) => bytes >= least);
  return unit ? `${short(bytes / unit[1])} ${unit[0]}` : `${short(bytes)} bytes`;
}
