import { until } from '../support/basics/wait-for.js';
import { isAmong, startRunner } from '../support/hosts/runner.js';

it('an interrupted measurement leaves nothing behind', async () => {
  const bench = ['--import', './test/support/typescript.mjs', 'test/bench/bench.ts'];
  const { runner, others } = startRunner(...bench, '--tiny', '--only', 'memory');
  await until(() => !runner.running || isAmong(others(), /dist\/main\.js/), { what: 'a process of the host' });
  await runner.stop('SIGINT');
  await until(() => others().size === 0, { what: 'the end of all that was started' });
});
