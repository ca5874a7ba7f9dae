import { hooksOptions } from './hooks-options.js';
import { readSettings } from './read-settings.js';

describe('hooksOptions', () => {
  it('has no relay by default', () => {
    expect(hooksOptions(readSettings({}))).toEqual({});
  });

  it('has the relays in the environment', () => {
    const environment = { HOOK_MAILGUN_KEY: '0'.repeat(32), HOOK_POSTMARK_AUTH: 'user:a-long-password' };
    const hooks = { mailgun: { key: '0'.repeat(32) }, postmark: { auth: 'user:a-long-password' } };
    expect(hooksOptions(readSettings(environment))).toEqual({ hooks });
  });

  it('takes the only relay for the one that gets the mail', () => {
    expect(hooksOptions(readSettings({ HOOK_POSTMARK_AUTH: 'user:a-long-password' }))).toEqual({
      hooks: { postmark: { auth: 'user:a-long-password' } },
      relay: 'postmark',
    });
  });
});
