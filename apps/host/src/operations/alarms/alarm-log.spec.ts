import { jest } from '@jest/globals';
import { AlarmLog } from './alarm-log.js';

const ALARM = { code: 'quota', account: 'acme', subject: 'day', text: 'Full.', since: new Date(0) };

describe('AlarmLog', () => {
  it('warns at the begin and informs at the end', async () => {
    const logger = { warn: jest.fn(), info: jest.fn() };
    const log = new AlarmLog(logger);
    const fields = { alarm: 'quota', account: 'acme', subject: 'day', since: ALARM.since };
    await log.send(ALARM);
    expect([logger.warn.mock.calls, logger.info.mock.calls]).toEqual([[[fields, 'alarm: Full.']], []]);
    await log.send({ ...ALARM, until: new Date(1) });
    expect(logger.warn).toHaveBeenCalledTimes(1);
    expect(logger.info.mock.calls).toEqual([[{ ...fields, until: new Date(1) }, 'alarm ended: Full.']]);
  });
});
