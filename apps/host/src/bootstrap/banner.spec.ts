import { readSettings } from '../config/read-settings.js';
import { banner } from './banner.js';

const address = 'http://127.0.0.1:3000';

describe('banner', () => {
  it('shows the address, the generated key, the inbox and a command to paste', () => {
    const text = banner({ address, apiKey: 're_12345678', page: undefined }, readSettings({}), true);
    expect(text).toContain('Address  http://127.0.0.1:3000\n');
    expect(text).toContain('API key  re_12345678 ');
    expect(text).toContain('Inbox    http://127.0.0.1:3000/inbox\n');
    expect(text).toMatch(/^ {2}curl http:\/\/127\.0\.0\.1:3000\/emails -H "Authorization: Bearer re_12345678" .*'$/m);
  });

  it('links to the page, and says when the link signs in', () => {
    const page = `${address}/dashboard/`;
    const text = banner({ address, apiKey: 're_12345678', page }, readSettings({}), true);
    expect(text).toContain(`Page     ${page}\n`);
    const once = banner({ address, apiKey: 're_12345678', page: `${page}#code=abc` }, readSettings({}), true);
    expect(once).toContain(`Page     ${page}#code=abc  (signs in once)\n`);
  });

  it('never shows a key that the operator chose', () => {
    const settings = readSettings({ BOOTSTRAP_API_KEY: 're_chosen-by-operator' });
    const text = banner({ address, apiKey: undefined, page: undefined }, settings, false);
    expect(text).toContain('Bearer $BOOTSTRAP_API_KEY"');
    expect(text).not.toMatch(/chosen|API key|Inbox/);
  });

  it('has no command for a worker', () => {
    const settings = readSettings({ ROLE: 'worker', DATABASE_URL: 'postgres://db/emails' });
    expect(banner({ address, apiKey: undefined, page: undefined }, settings, false)).not.toContain('curl');
  });

  it('quotes an IPv6 address', () => {
    expect(
      banner({ address: 'http://[::1]:3000', apiKey: 're_12345678', page: undefined }, readSettings({}), false),
    ).toContain("curl 'http://[::1]:3000/emails' ");
  });
});
