import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import type { IncomingReport } from '../incoming/incoming-report.js';
import type { IncomingResult } from '../incoming/incoming-reports.service.js';
import type { RelayReport } from './relay-report.js';
import { ReportRecorder } from './report-recorder.js';

const report = (messageId: string, reply = ''): RelayReport => ({
  kind: 'bounced',
  source: 'relay',
  messageId,
  reply,
});

/** A recorder, and what it recorded. `fail` throws for some of it, or says its result. */
function recording(fail: (report: IncomingReport) => IncomingResult | undefined = () => undefined) {
  const recorded: string[] = [];
  const seen = { atOnce: 0, most: 0 };
  const record = async (one: IncomingReport) => {
    seen.most = Math.max(seen.most, ++seen.atOnce);
    await new Promise(setImmediate);
    seen.atOnce -= 1;
    const result = fail(one) ?? 'recorded';
    if (result === 'recorded') recorded.push(`${one.messageId}${one.reply}`);
    return result;
  };
  return { recorder: new ReportRecorder({ record }), recorded, seen };
}

describe('ReportRecorder', () => {
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
  });

  it('keeps the order of one email, and records a few emails at once', async () => {
    const { recorder, recorded, seen } = recording();
    const ids = Array.from({ length: 20 }, (_, at) => `m${at}`);
    await recorder.record(ids.flatMap((id) => [report(id, '-first'), report(id, '-second')]));
    expect(recorded).toHaveLength(40);
    for (const id of ids) expect(recorded.indexOf(`${id}-first`)).toBeLessThan(recorded.indexOf(`${id}-second`));
    expect(seen.most).toBe(4);
  });

  it('records the others of a batch when one fails, then throws its error', async () => {
    const broken = new Error('broken');
    const { recorder, recorded } = recording(({ messageId }) => {
      if (messageId === 'm1') throw broken;
    });
    const all = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'].map((id) => report(id));
    await expect(recorder.record(all)).rejects.toBe(broken);
    expect(recorded).toHaveLength(8);
  });

  it('stops early when the database is away, so that the relay is answered', async () => {
    const { recorder, recorded, seen } = recording(() => {
      throw ApiError.unavailable();
    });
    const all = Array.from({ length: 1_000 }, (_, at) => report(`m${at}`));
    await expect(recorder.record(all)).rejects.toThrow(expect.objectContaining({ statusCode: 503 }));
    expect(recorded).toEqual([]);
    expect(seen.most).toBe(4);
  });

  it('throws what passes rather than a bug, and logs the bug', async () => {
    const { recorder } = recording(({ messageId }) => {
      throw messageId === 'm0' ? new Error('a bug') : ApiError.locked();
    });
    await expect(recorder.record([report('m0'), report('m1')])).rejects.toThrow(
      expect.objectContaining({ statusCode: 503 }),
    );
    expect(Logger.prototype.error).toHaveBeenCalledTimes(1);
  });

  describe('of a report that leads to no email', () => {
    const before = (seconds: number) => Date.now() - seconds * 1_000;
    const unmatched = () => recording(({ messageId }) => (messageId === 'm0' ? 'unmatched' : 'recorded'));

    it.each([
      ['a new one', 0],
      ['one of the last seconds', 25],
      ['one of a clock that is ahead', -600],
    ])('asks for %s again, once the others are recorded', async (_, seconds) => {
      const { recorder, recorded } = unmatched();
      const all = [{ ...report('m0'), at: before(seconds) }, report('m1'), report('m2')];
      await expect(recorder.record(all)).rejects.toThrow(
        expect.objectContaining({ statusCode: 503, headers: { 'retry-after': '20' } }),
      );
      expect(recorded).toEqual(['m1', 'm2']);
    });

    it.each([
      ['an older one', before(31)],
      ['one of another clock', before(-3_600)],
      ['one without a time', undefined],
    ])('asks for %s no more', async (_, at) => {
      const { recorder, recorded } = unmatched();
      await recorder.record([{ ...report('m0'), ...(at !== undefined && { at }) }, report('m1')]);
      expect(recorded).toEqual(['m1']);
    });

    it('is not taken for a database that is away, however many there are', async () => {
      const { recorder, recorded } = recording(({ messageId }) => (messageId === 'own' ? 'recorded' : 'unmatched'));
      const others = Array.from({ length: 100 }, (_, at) => ({ ...report(`m${at}`), at: Date.now() }));
      await expect(recorder.record([...others, report('own')])).rejects.toThrow('Send it again');
      expect(recorded).toEqual(['own']);
    });
  });

  it('records nothing of nothing', async () => {
    await recording().recorder.record([]);
  });
});
