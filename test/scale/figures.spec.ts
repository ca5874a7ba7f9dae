import { coresTable, millionTable, needsOf, needsTable, type Units, unitsOf } from '../../docs/scale-figures.mjs';

const times = (host: number, PostgreSQL: number, Redis: number) => ({ host, PostgreSQL, Redis });

const UNITS: Units = {
  accept: times(400, 150, 40),
  deliver: times(500, 300, 10),
  notify: times(100, 50, 0),
  all: times(1_000, 500, 50),
  sent: 800,
  best: 700,
  together: { redis: 900, postgres: 1_700 },
  ratePerWorker: 400,
  disk: 2_500,
  content: 500,
  log: 5_000,
  waiting: { crowded: 100, single: 1_000 },
  memory: 150,
  workers: { one: { rate: 500, time: 1_000 }, two: { rate: 950, time: 1_100 }, local: { one: 1_500, two: 1_600 } },
  alone: 1_475,
};

describe('needsOf', () => {
  /** 1,000 a second at its peak of four times the mean. */
  const needs = needsOf(UNITS, 250 * 86_400);

  it('plans processors for the peak, half of them free', () => {
    expect(needs).toMatchObject({ mean: 250, peak: 1_000, cores: times(2, 1, 0.1), processes: 2 });
  });

  it('counts connections by the rate of a worker, and by processes', () => {
    expect(needs).toMatchObject({ smtpConnections: 50, databaseConnections: 40 });
  });

  it('counts bytes of the disk by the day, and of log, network and queue at the peak', () => {
    expect(needs).toMatchObject({
      diskADay: 250 * 86_400 * 2_500,
      disk: 250 * 86_400 * 2_500 * 90,
      logASecond: 5_000_000,
      outASecond: 16_000_000,
      backlog: 3_600_000_000,
    });
  });

  it('needs a whole process for a single email', () => {
    expect(needsOf(UNITS, 1)).toMatchObject({ processes: 1, smtpConnections: 1 });
  });
});

describe('needsTable', () => {
  it('ends at a thousand million emails a day', () => {
    const [head, rows] = needsTable(UNITS);
    expect(rows.at(-1)?.slice(0, 3)).toEqual(['1,000,000,000', '11,574, 46,296', '93, 46, 4.6']);
    expect(rows.every((row) => row.length === head.length)).toBe(true);
  });
});

describe('coresTable', () => {
  it('lets each doubling of workers cost as much as the first', () => {
    const [, rows] = coresTable(UNITS);
    expect(rows.map((row) => row[3])).toEqual(['1.90', '1.10', '1.07', '1.21, 1.33, 1.46', '2.50']);
  });
});

describe('millionTable', () => {
  it('adds up the time of all processes', () => {
    const [, rows] = millionTable(UNITS);
    expect(rows.map(([, value]) => value)).toEqual(['26 minutes of one core', '2.5 GB', '5 GB', '2 GB']);
  });
});

describe('unitsOf', () => {
  it('names a figure that is not recorded', () => {
    expect(() => unitsOf([])).toThrow('no figure "ten at once host µs" of the row batch');
  });
});
