import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterFile } from '../basics/cleanup.js';
import { PATIENCE } from '../basics/patience.mjs';
import { tie } from '../basics/tied-children.mjs';
import { within } from '../basics/wait-for.js';
import { HostWatch } from './host-watch.js';
import { NODE_ARGUMENTS } from './node-arguments.js';
import { type HostEnvironment, testedHost } from './tested-host.js';

export type { HostEnvironment };

/** `account`: of ours. `worker`: of the minimal one. */
export type HostScript = 'main' | 'migrate' | 'account' | 'worker';

/** How a program ended: exit code (null: by a signal), stdout, and stdout with stderr in order of arrival. */
export interface ScriptResult {
  code: number | null;
  stdout: string;
  output: string;
}

/** A running program of the built host, and its output. */
export class HostProcess {
  /** stdout and stderr in order of arrival. */
  output = '';
  stdout = '';
  /** Exit code, or null when a signal ended it. */
  readonly exited: Promise<number | null>;

  /** @param watch records violations of its budget; undefined for unwatched programs */
  constructor(
    readonly child: ChildProcess,
    readonly watch?: HostWatch,
  ) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
      this.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    this.exited = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code));
    });
    this.exited.catch(() => {});
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined;
  }

  /** Sends the signal and waits for the end; after `timeout` ms it is killed, and that is an error. */
  async stop(signal: NodeJS.Signals, timeout = PATIENCE): Promise<number | null> {
    if (this.running) this.child.kill(signal);
    try {
      return await within(this.exited, timeout, `Stopping the host by ${signal}`);
    } catch (error) {
      this.child.kill('SIGKILL');
      throw new Error(`The host did not stop. It said:\n${this.output}`, { cause: error });
    }
  }
}

/**
 * Starts a program of the tested host like `npm start`, with only PATH, HOME and the given variables in its
 * environment.
 *
 * @param version the folder of another version's programs
 */
export function spawnScript(
  script: HostScript,
  args: readonly string[],
  env: HostEnvironment,
  version = testedHost.programs,
): HostProcess {
  return spawnProgram(fileOf(script, version), args, testedHost.environment(env));
}

/**
 * The same, for a host that outlives this test file and this process: `run-tests.mjs` kills jest's whole process group at
 * the end. Its output is appended to the file `log`.
 */
export function spawnLasting(script: HostScript, env: HostEnvironment, log: string, watch: HostWatch): HostProcess {
  const { PATH, HOME } = process.env;
  const output = openSync(log, 'a');
  const file = fileOf(script, testedHost.programs);
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, ...watch.nodeArguments, file], {
    env: { PATH, HOME, ...testedHost.environment(env) },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.unref();
  return new HostProcess(child, watch);
}

function fileOf(script: HostScript, folder: string): string {
  const file = join(folder, `${script}.js`);
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` first.`);
  return file;
}

/** Starts a program, which exchanges messages with `ipc`. It is watched, and killed after the test file. */
export function spawnProgram(
  file: string,
  args: readonly string[],
  env: HostEnvironment,
  { ipc = false } = {},
): HostProcess {
  const { PATH, HOME } = process.env;
  const watch = new HostWatch();
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, ...watch.nodeArguments, file, ...args], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  });
  const started = new HostProcess(tie(child), watch);
  afterFile(async () => {
    if (started.running) await started.stop('SIGKILL');
  });
  return started;
}

/** Runs a program of the host to its end. */
export async function runScript(
  script: HostScript,
  args: readonly string[],
  env: HostEnvironment,
  version?: string,
): Promise<ScriptResult> {
  const started = spawnScript(script, args, env, version);
  try {
    const code = await within(started.exited, PATIENCE, `${script}.js`);
    return { code, stdout: started.stdout, output: started.output };
  } catch (error) {
    await started.stop('SIGKILL');
    throw new Error(`${script}.js did not end. It said:\n${started.output}`, { cause: error });
  }
}
