import { readFileSync } from 'node:fs';
import { until } from '../support/basics/wait-for.js';
import { startHost } from '../support/hosts/host.js';
import { post } from '../support/reading/deliveries.js';

it.each([1, 5])('postfix with %d connections', async (connections) => {
  const before = readFileSync('/tmp/faults/pf/log/postfix.log', 'utf8').length;
  const host = await startHost({ smtp: `smtp://127.0.0.1:2597?maxConnections=${connections}`, env: { RATE_LIMIT: undefined } });
  await Promise.all(Array.from({ length: 300 }, (_, n) => post(host, n % 5 === 0 ? ['no@to.test', `y${n}@to.test`] : n % 7 === 0 ? 'no@to.test' : `y${n}@to.test`, n % 11 ? {} : { text: '.\r\n..\r\n'.repeat(50_000) })));
  await until(async () => (await host.query('SELECT FROM nestjs_emails.deliveries WHERE due_at IS NOT NULL')).length === 0);
  const log = readFileSync('/tmp/faults/pf/log/postfix.log', 'utf8').slice(before);
  console.log(await host.query('SELECT last_event, attempts, count(*) FROM nestjs_emails.deliveries GROUP BY 1, 2'), log.match(/status=sent/g)?.length, log.match(/: connect from/g)?.length, [...new Set(log.match(/(improper|lost connection|error|warning|fatal).*/g))].slice(0, 10));
}, 60_000);
