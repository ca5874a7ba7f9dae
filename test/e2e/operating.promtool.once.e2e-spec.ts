import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { fromTestRun } from '../support/jest/test-environment.js';
import { OPERATING, queries } from '../support/reading/operating-files.js';

/** Rejects with what promtool says when a check fails. */
const promtool = async (...args: string[]) => {
  const { stdout } = await promisify(execFile)(fromTestRun('TEST_PROMTOOL'), args, { cwd: OPERATING });
  return stdout;
};

it('promtool accepts the alert rules', async () => {
  expect(await promtool('check', 'rules', 'alerts.yml')).toMatch(/SUCCESS: \d+ rules found/);
});

it('each alert fires in its test, and is quiet before', async () => {
  expect(await promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
});

it('promtool accepts each query of the dashboard', async () => {
  const rules = queries().map(({ expr }, at) => ({ record: `query_${at}`, expr }));
  const file = join(tmpdir(), 'queries.yml');
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
  expect(await promtool('check', 'rules', file)).toContain(`SUCCESS: ${rules.length} rules found`);
});
