import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { InboxReports } from './inbox-reports.js';

interface Received {
  from: string;
  to: string | undefined;
  raw: Buffer;
}

describe('the reports of the inbox', () => {
  let received: Received[];
  let refusals: number;
  let server: SMTPServer;
  let reports: InboxReports;

  beforeEach(async () => {
    received = [];
    refusals = 0;
    server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      onData: async (stream, { envelope }, done) => {
        const raw = await buffer(stream);
        if (refusals-- > 0) return done(Object.assign(new Error('later'), { responseCode: 451 }));
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        received.push({ from, to: envelope.rcptTo[0]?.address, raw });
        done();
      },
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    reports = new InboxReports();
    reports.sendTo(() => (server.server.address() as AddressInfo).port);
  });

  afterEach(async () => {
    reports.stop();
    await new Promise<void>((resolve) => server.close(resolve));
  });

  const HEADER = 'X-Email-Ref: token\r\nSubject: Gr\u00fc\u00dfe\r\nMessage-ID: <1@from.test>';
  const open = async () => Readable.from([Buffer.from(`${HEADER}\r\n\r\n${'body\r\n'.repeat(50_000)}`)]);
  const reported = async (to: string) => {
    await reports.schedule('b+token@bounces.test', [to, 'anna@to.test'], open);
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    return received[0] as Received;
  };

  it('return a message with a delivery status', async () => {
    const { from, to, raw } = await reported('later-bounced@to.test');
    expect([from, to]).toEqual(['', 'b+token@bounces.test']);
    const { attachments, headers } = await PostalMime.parse(raw);
    expect(headers.find(({ key }) => key === 'content-type')?.value).toContain('report-type=delivery-status');
    expect(attachments.map(({ mimeType }) => mimeType)).toContain('message/delivery-status');
    expect(String(raw)).toContain('Final-Recipient: rfc822; later-bounced@to.test\r\nAction: failed\r\nStatus: 5.1.1');
    expect(String(raw)).toContain(HEADER);
    expect(String(raw)).not.toContain('body');
  });

  it('complain at the feedback address', async () => {
    const { to, raw } = await reported('complained@to.test');
    expect(to).toBe('fbl@bounces.test');
    expect(String(raw)).toContain('Feedback-Type: abuse');
    expect(String(raw)).toContain('X-Email-Ref: token');
  });

  it('are away', async () => {
    const { to, raw } = await reported('away@to.test');
    expect(to).toBe('b+token@bounces.test');
    expect((await PostalMime.parse(raw)).headers).toContainEqual({
      key: 'auto-submitted',
      originalKey: 'Auto-Submitted',
      value: 'auto-replied',
    });
  });

  it('are sent again after a 451', async () => {
    refusals = 1;
    expect((await reported('away@to.test')).to).toBe('b+token@bounces.test');
  });

  it('are not sent without a reverse-path', async () => {
    await reports.schedule('', ['away@to.test'], () => Promise.reject(new Error('opened')));
  });
});
