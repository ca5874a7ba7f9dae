import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterFile } from '../basics/cleanup.js';
import { freePort } from '../basics/free-port.mjs';
import { makeTempFolder } from '../basics/temp-folder.mjs';
import { eventually } from '../basics/wait-for.js';
import { fromTestRun } from '../jest/test-environment.js';

/** Time for its greeting. Milliseconds. */
const PATIENCE = 5_000;

/** Its services, without a change of the root folder. Each: name, type, unprivileged, limit, command. */
const SERVICES: readonly string[] = [
  'pickup unix n - n 60 1 pickup',
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 300 1 qmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'verify unix - - n - 1 verify',
  'flush unix n - n 1000? 0 flush',
  'smtp unix - - n - - smtp',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'discard unix - - n - - discard',
  'virtual unix - n n - - virtual',
  'anvil unix - - n - 1 anvil',
  'scache unix - - n - 1 scache',
  'proxymap unix - - n - - proxymap',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'postlog unix-dgram n - n - 1 postlogd',
];

/** A Postfix that accepts everything, and then bounces unknown recipients. */
export interface Postfix {
  /** `smtp://127.0.0.1:port` */
  url: string;
  log(): string;
  /**
   * Sends again what was deferred. It does so by itself only after minutes: a Postfix that looks at its queue each second may
   * overlook for long what another attempt has just deferred.
   */
  flush(): Promise<void>;
}

/**
 * Starts a Postfix with its own folders as a relay. It knows the mailboxes `known@to.test` and `full@to.test`, and sends
 * reports to `bounces.test` to a port. It runs as root, as the system's does, and is stopped after the test file.
 *
 * @param bouncePort port of the server for `bounces.test`
 */
export async function startPostfix(bouncePort: number): Promise<Postfix> {
  const folder = makeTempFolder('emails-test-postfix-');
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const [config, queue, data, mail, log] = ['config', 'queue', 'data', 'mail', 'log'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string, string];
  for (const directory of [config, queue, data, mail]) mkdirSync(directory, { mode: 0o755 });
  const owner = Number(execFileSync('id', ['-u', 'postfix']).toString());
  const group = Number(execFileSync('id', ['-g', 'postfix']).toString());
  for (const directory of [data, mail]) execFileSync('chown', ['postfix', directory]);
  writeFileSync(
    join(config, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
maillog_file = ${log}
maillog_file_prefixes = ${folder}
myhostname = relay.test
mydestination =
local_recipient_maps =
alias_maps =
alias_database =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
smtpd_reject_unlisted_recipient = no
smtpd_client_connection_count_limit = 0
smtp_dns_support_level = disabled
notify_classes =
virtual_mailbox_domains = to.test
virtual_mailbox_maps = inline:{ {known@to.test=known/} }
virtual_mailbox_base = ${mail}
virtual_minimum_uid = 1
virtual_uid_maps = static:${owner}
virtual_gid_maps = static:${group}
transport_maps = inline:{ {bounces.test=smtp:[127.0.0.1]:${bouncePort}} }
`,
  );
  const services = [`127.0.0.1:${port} inet n - n - - smtpd`, ...SERVICES];
  writeFileSync(join(config, 'master.cf'), `${services.join('\n')}\n`);
  const run = (...command: string[]) => {
    const started = spawn(fromTestRun('TEST_POSTFIX'), ['-c', config, ...command], { stdio: 'ignore' });
    return new Promise<number | null>((resolve) => started.once('exit', resolve));
  };
  const readLog = () => {
    try {
      return readFileSync(log, 'utf8');
    } catch {
      return '';
    }
  };
  const code = await run('start');
  if (code !== 0) throw new Error(`postfix start ended with ${code}:\n${readLog()}`);
  // `postfix stop` waits for its services.
  afterFile(() => endMaster(queue));
  await eventually(async () => answers(port, readLog));
  return {
    url: `smtp://127.0.0.1:${port}?tls=none`,
    log: readLog,
    flush: async () => void (await run('flush')),
  };
}

/** Its services end with it. */
function endMaster(queue: string): void {
  const pid = Number(readFileSync(join(queue, 'pid/master.pid'), 'utf8'));
  if (pid > 0) process.kill(pid, 'SIGTERM');
}

function answers(port: number, log: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.end('QUIT\r\n');
      resolve();
    });
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error('It is silent.')));
    socket.once('error', () => reject(new Error(`Postfix does not answer:\n${log()}`)));
  });
}
