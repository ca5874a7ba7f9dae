import { emailsOptions } from './emails-options.js';
import { readSettings } from './read-settings.js';

describe('emailsOptions', () => {
  it('has quotas for all accounts but that of alarms', () => {
    const quotaOf = (environment: Record<string, string>) => emailsOptions(readSettings(environment)).quota;
    const of = (limit: unknown, account: string) => (limit as (accountId: string) => number | undefined)(account);
    const { perDay, perMonth } = quotaOf({ QUOTA_PER_DAY: '5' }) ?? {};
    expect([of(perDay, 'acme'), of(perDay, 'alarms'), of(perMonth, 'acme')]).toEqual([5, undefined, undefined]);
    expect(quotaOf({})).toBeUndefined();
  });

  it('have the staging switch that is set', () => {
    const environment = { ONLY_TO: 'me@example.net, Bücher.example', REDIRECT_ALL_TO: 'jörg@example.net' };
    expect(emailsOptions(readSettings(environment)).delivery).toEqual({
      onlyTo: ['me@example.net', 'Bücher.example'],
      redirectAllTo: 'jörg@example.net',
    });
    expect(emailsOptions(readSettings({})).delivery).toEqual({});
  });
});
