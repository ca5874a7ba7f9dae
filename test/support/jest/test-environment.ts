import { readFileSync } from 'node:fs';
import { join } from 'node:path';

declare const __QUEUE_KIND__: 'postgres' | 'redis';
declare const __HOST_KIND__: 'minimal' | undefined;
declare const __GENERATION__: string | undefined;

/** Which queue the running jest project is about. */
export function queueKind(): 'postgres' | 'redis' {
  return __QUEUE_KIND__;
}

/** What `run-tests.mjs` hands over. */
export function fromTestRun(
  name:
    | 'TEST_RUN_ID'
    | 'TEST_DATABASE_URL'
    | 'TEST_REDIS_URL'
    | 'TEST_OPENAPI_FILE'
    | 'TEST_PGBOUNCER'
    | 'TEST_CHROMIUM',
): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the suites by \`npm test\`, which starts the servers.`);
  return value;
}

/** Which host the running jest project is about; outside of jest, ours. */
export function hostKind(): 'ours' | 'minimal' {
  return typeof __HOST_KIND__ === 'undefined' ? 'ours' : __HOST_KIND__;
}

/** A file as it is in a packed package. */
interface PackedFile {
  path: string;
  size: number;
}

/** Result of `install-package.mjs` for the running jest project: folders of hosts, the packages' files, npm's output. */
interface InstalledPackage {
  minimal: string;
  full: string;
  packages: Record<string, PackedFile[]>;
  log: string;
}

function installed(): InstalledPackage | undefined {
  const folder = JSON.parse(process.env.TEST_PACKAGE_HOSTS ?? '{}')[generation()];
  return folder && JSON.parse(readFileSync(join(folder, 'installed.json'), 'utf8'));
}

/** Where the minimal host is. */
export function packageFolder(): string {
  return installed()?.minimal ?? '';
}

/** Where the full host is. */
export function fullHostFolder(): string {
  return installed()?.full ?? '';
}

/** The files of a packed package. */
export function packedFiles(name: string): readonly PackedFile[] {
  return installed()?.packages[name] ?? [];
}

/** Whether its BullMQ knows of PostgreSQL. */
export function hasPostgresQueue(): boolean {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'node_modules/bullmq/package.json'), 'utf8'));
  return Number.parseInt(version, 10) >= 6;
}

/** What npm warned of. */
export function installLog(): string {
  return installed()?.log ?? '';
}

/** Of what the package is installed beside: the newest that the hosts take, or the versions of `generations.json`. */
export function generation(): string {
  return typeof __GENERATION__ === 'undefined' ? 'newest' : __GENERATION__;
}
