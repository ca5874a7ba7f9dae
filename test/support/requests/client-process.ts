import { spawn } from 'node:child_process';
import { afterFile } from '../basics/cleanup.js';
import { PATIENCE } from '../basics/patience.mjs';
import { within } from '../basics/wait-for.js';
import { type HostEnvironment, HostProcess, type ScriptResult } from '../hosts/host-process.js';

/**
 * Runs a Node script to its end like a client, with only PATH and the given variables as its environment.
 *
 * @param node the Node that runs it. Default: that of the tests
 */
export async function runClient(
  script: string,
  args: readonly string[],
  env: HostEnvironment,
  node = process.execPath,
): Promise<ScriptResult & { stderr: string }> {
  const child = spawn(node, [script, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const started = new HostProcess(child);
  afterFile(async () => {
    if (started.running) await started.stop('SIGKILL');
  });
  const code = await within(started.exited, PATIENCE, script);
  return { code, stdout: started.stdout, output: started.output, stderr };
}
