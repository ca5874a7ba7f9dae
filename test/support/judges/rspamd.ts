import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterFile } from '../basics/cleanup.js';
import { freePort } from '../basics/free-port.mjs';
import { makeTempFolder } from '../basics/temp-folder.mjs';
import { tie } from '../basics/tied-children.mjs';
import { until } from '../basics/wait-for.js';
import type { DnsServer } from '../dns/dns-server.js';
import { type JudgedMessage, SENDING_SERVER } from './judged-message.js';
import type { Points } from './spamassassin.js';

/** Modules that ask other machines or remember earlier mail. */
const WITHOUT = [
  ...['antivirus', 'arc', 'asn', 'dkim_signing', 'fuzzy_check', 'greylist', 'history_redis', 'mx_check', 'neural'],
  ...['phishing', 'ratelimit', 'rbl', 'replies', 'rspamd_update', 'surbl', 'url_redirector'],
];

/** An rspamd without a network. */
export interface Rspamd {
  /** Points by rule. */
  ask(message: JudgedMessage): Promise<Points>;
}

/** Starts an rspamd with its own folders, which is stopped after the test file. It compiles its rules first. */
export async function startRspamd(dns: DnsServer): Promise<Rspamd> {
  const folder = makeTempFolder('emails-test-rspamd-');
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const [port, controller] = [await freePort(), await freePort()];
  writeConfig(folder, { dns, port, controller });
  const variables = Object.entries({ LOCAL_CONFDIR: folder, DBDIR: folder, RUNDIR: folder, LOGDIR: folder });
  const child = tie(
    spawn(
      'rspamd',
      ['-f', '-i', '-c', '/etc/rspamd/rspamd.conf', ...variables.map((pair) => `--var=${pair.join('=')}`)],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    ),
  );
  afterFile(() => stop(child));
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
  await until(() => isReady(port, child, () => log), { interval: 100 });
  return { ask: (message) => ask(port, message) };
}

interface Config {
  dns: DnsServer;
  port: number;
  controller: number;
}

function writeConfig(folder: string, { dns, port, controller }: Config): void {
  const local = join(folder, 'local.d');
  mkdirSync(local);
  chmodSync(folder, 0o755);
  const files: Record<string, string> = {
    'options.inc': `dns { nameserver = ["${dns.address}"]; timeout = 1s; retransmits = 2; }\npidfile = "${folder}/pid";`,
    'worker-normal.inc': `bind_socket = "127.0.0.1:${port}"; count = 1;`,
    'worker-controller.inc': `bind_socket = "127.0.0.1:${controller}"; secure_ip = "127.0.0.1";`,
    'worker-proxy.inc': 'enabled = false;',
    'worker-fuzzy.inc': 'enabled = false;',
    'logging.inc': 'type = "console"; level = "warning";',
    ...Object.fromEntries(WITHOUT.map((module) => [`${module}.conf`, 'enabled = false;'])),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(local, name), `${content}\n`);
}

async function isReady(port: number, child: ChildProcess, log: () => string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`rspamd ended:\n${log()}`);
  const { status } = await fetch(`http://127.0.0.1:${port}/ping`);
  return status === 200;
}

async function ask(port: number, { raw, from, to }: JudgedMessage): Promise<Points> {
  const answer = await fetch(`http://127.0.0.1:${port}/checkv2`, {
    method: 'POST',
    headers: {
      From: from,
      Rcpt: to,
      IP: SENDING_SERVER.address,
      Helo: SENDING_SERVER.name,
      Hostname: SENDING_SERVER.name,
    },
    body: new Uint8Array(raw),
  });
  if (!answer.ok) throw new Error(`rspamd answers ${answer.status}: ${await answer.text()}`);
  const { symbols } = (await answer.json()) as { symbols: Record<string, { score: number }> };
  return Object.fromEntries(Object.entries(symbols).map(([rule, { score }]) => [rule, score]));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
