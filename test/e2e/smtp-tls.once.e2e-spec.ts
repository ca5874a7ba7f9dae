import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { startHost } from '../support/hosts/host.js';
import { post } from '../support/reading/deliveries.js';

const EMAILS = 60;

describe('a third-party mail server with STARTTLS, AUTH and PIPELINING', () => {
  it('gets every email once, over one connection, each with its own envelope', async () => {
    const taken: { from: string; to: string[]; secure: boolean; user: unknown; subject: string | undefined }[] = [];
    let connections = 0;
    const server = new SMTPServer({
      disableReverseLookup: true,
      logger: false,
      onConnect: (_, done) => {
        connections += 1;
        done();
      },
      onAuth: ({ username, password }, _, done) => done(null, password === 'pass' ? { user: username } : {}),
      // Half of the recipients are refused: later replies must not be attributed to them.
      onRcptTo: ({ address }, _, done) => done(address.startsWith('no') ? new Error('nobody here') : null),
      onData: (stream, { envelope, secure, user }, done) => {
        void text(stream).then((message) => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          const subject = /^subject: (.*)$/im.exec(message)?.[1];
          taken.push({ from, to: envelope.rcptTo.map(({ address }) => address), secure, user, subject });
          done();
        });
      },
    });
    server.on('error', () => {});
    await once(server.listen(0, '127.0.0.1'), 'listening');
    afterFile(() => promisify(server.close.bind(server))());

    const { port } = server.server.address() as AddressInfo;
    const host = await startHost({
      smtp: `smtp://me:pass@127.0.0.1:${port}?maxConnections=1&tls.rejectUnauthorized=false`,
    });
    const numbers = Array.from({ length: EMAILS }, (_, number) => number);
    await Promise.all(
      numbers.map((number) =>
        post(host, [`${number % 3 === 0 ? 'no' : 'yes'}${number}@to.test`, `other${number}@to.test`], {
          from: `a${number}@from.test`,
          subject: `Number ${number}`,
        }),
      ),
    );
    const settled = () =>
      host.query("SELECT FROM nestjs_emails.deliveries WHERE last_event NOT IN ('sent', 'bounced')");
    await until(async () => taken.length >= EMAILS && (await settled()).length === 0);

    const byNumber = taken.sort((a, b) => Number(a.from.slice(1, -10)) - Number(b.from.slice(1, -10)));
    expect(byNumber).toEqual(
      numbers.map((number) => ({
        from: `a${number}@from.test`,
        to: [...(number % 3 === 0 ? [] : [`yes${number}@to.test`]), `other${number}@to.test`],
        secure: true,
        user: 'me',
        subject: `Number ${number}`,
      })),
    );
    expect(connections).toBeLessThanOrEqual(2);
  });
});
