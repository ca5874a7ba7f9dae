import type { DataSource } from 'typeorm';
import { UnmatchedReports } from './unmatched-reports.js';

function reportsWith(alarms: { isOn: boolean } | undefined, query = async (_: string): Promise<unknown[]> => []) {
  const clock = { now: 0 };
  const statements: string[] = [];
  const dataSource = {
    query: async (sql: string) => {
      statements.push(sql);
      return query(sql);
    },
  } as unknown as DataSource;
  return { clock, statements, reports: new UnmatchedReports(dataSource, alarms, () => clock.now) };
}

describe('UnmatchedReports', () => {
  it('notes reports of a minute once', async () => {
    const { reports, statements, clock } = reportsWith({ isOn: true });
    await reports.note();
    clock.now = 59_999;
    await reports.note();
    expect(statements).toHaveLength(1);
    clock.now = 60_000;
    await reports.note();
    expect(statements).toHaveLength(2);
  });

  it('notes the next one when it could not be written', async () => {
    let isAway = true;
    const { reports, statements } = reportsWith({ isOn: true }, async () => {
      if (isAway) throw new Error('away');
      return [];
    });
    await expect(reports.note()).rejects.toThrow('away');
    isAway = false;
    await reports.note();
    expect(statements).toHaveLength(2);
  });

  it.each([undefined, { isOn: false }])('notes nothing where nobody is notified (%j)', async (alarms) => {
    const { reports, statements } = reportsWith(alarms);
    await reports.note();
    expect(statements).toEqual([]);
  });

  it('is on since the first of the reports of the last hour', async () => {
    const since = '2026-11-26T10:00:00+00:00';
    const { reports } = reportsWith({ isOn: true }, async () => [{ 0: [{ since }] }]);
    expect(await reports.active()).toMatchObject([
      { code: 'feedback_unmatched', subject: 'feedback addresses', since: new Date(since) },
    ]);
  });
});
