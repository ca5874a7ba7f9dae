import { jest } from '@jest/globals';
import { EmailsHealthIndicator } from './emails-health.indicator.js';

const indicatorOf = (due: () => Promise<{ count: number; oldestAge: number }>) => new EmailsHealthIndicator({ due });

describe('EmailsHealthIndicator', () => {
  it.each([
    [{ count: 0, oldestAge: 0 }, 'up'],
    [{ count: 12, oldestAge: 299_000 }, 'up'],
    [{ count: 12, oldestAge: 301_000 }, 'down'],
  ])('of %j says %s', async (backlog, status) => {
    const { count: due, oldestAge: oldest } = backlog;
    expect(await indicatorOf(async () => backlog).isHealthy('emails')).toEqual({ emails: { status, due, oldest } });
  });

  it('says that the staging switch is on', async () => {
    const due = async () => ({ count: 0, oldestAge: 0 });
    expect(await new EmailsHealthIndicator({ due }, [], ['only_to']).isHealthy('emails')).toEqual({
      emails: { status: 'up', due: 0, oldest: 0, staging: ['only_to'] },
    });
  });

  it('is up while mail is paused, and names its kinds', async () => {
    const due = async () => ({ count: 0, oldestAge: 0 });
    const pauses = { parts: async () => ['everything' as const] };
    expect(await new EmailsHealthIndicator({ due }, [], [], pauses).isHealthy('emails')).toEqual({
      emails: { status: 'up', due: 0, oldest: 0, paused: ['everything'] },
    });
  });

  it('accepts another limit', async () => {
    const indicator = indicatorOf(async () => ({ count: 1, oldestAge: 2_000 }));
    expect(await indicator.isHealthy('mail', { maxWait: 1_000 })).toMatchObject({ mail: { status: 'down' } });
  });

  it('is down with an invalid limit, and with a database that does not answer', async () => {
    const due = { count: 1, oldestAge: 2_000 };
    const never = indicatorOf(() => new Promise(() => {}));
    jest.useFakeTimers();
    const late = never.isHealthy('mail');
    await jest.advanceTimersByTimeAsync(3_000);
    expect(await late).toMatchObject({ mail: { status: 'down' } });
    jest.useRealTimers();
    expect(await indicatorOf(async () => due).isHealthy('mail', { maxWait: Number.NaN })).toMatchObject({
      mail: { status: 'down' },
    });
  });

  it('is down while a check of a feature fails, and says which', async () => {
    const due = async () => ({ count: 0, oldestAge: 0 });
    const well = { name: 'well', check: async () => {} };
    const ill = { name: 'ill', check: () => Promise.reject(new Error('It has no keys.')) };
    expect(await new EmailsHealthIndicator({ due }, [well]).isHealthy('emails')).toEqual({
      emails: { status: 'up', due: 0, oldest: 0 },
    });
    expect(await new EmailsHealthIndicator({ due }, [well, ill]).isHealthy('emails')).toEqual({
      emails: { status: 'down', due: 0, oldest: 0, message: 'ill: It has no keys.' },
    });
  });

  it('is down without the database, and does not reveal its error', async () => {
    const indicator = indicatorOf(() => Promise.reject(new Error('secret')));
    const message = 'The database cannot be asked.';
    expect(await indicator.isHealthy('emails')).toEqual({ emails: { status: 'down', message } });
  });
});
