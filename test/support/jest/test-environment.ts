import { readFileSync } from 'node:fs';
import { join } from 'node:path';

declare const __QUEUE_KIND__: 'postgres' | 'redis';
declare const __HOST_KIND__: 'minimal' | undefined;
declare const __GENERATION__: string | undefined;

/** Queue backend of the running jest project. */
export function queueKind(): 'postgres' | 'redis' {
  return __QUEUE_KIND__;
}

/** Environment from `run-tests.mjs`. */
export function fromTestRun(
  name:
    | 'TEST_RUN_ID'
    | 'TEST_DATABASE_URL'
    | 'TEST_REDIS_URL'
    | 'TEST_OPENAPI_FILE'
    | 'TEST_PGBOUNCER'
    | 'TEST_POSTFIX'
    | 'TEST_PROMTOOL'
    | 'TEST_CHROMIUM',
): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the suites by \`npm test\`, which starts the servers.`);
  return value;
}

/** Host under test of the running jest project; outside of jest, ours. */
export function hostKind(): 'ours' | 'minimal' {
  return typeof __HOST_KIND__ === 'undefined' ? 'ours' : __HOST_KIND__;
}

/** A file in a packed package. */
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

/** Folder of the minimal host. */
export function packageFolder(): string {
  return installed()?.minimal ?? '';
}

/** Folder of the full host. */
export function fullHostFolder(): string {
  return installed()?.full ?? '';
}

/** The files of a packed package. */
export function packedFiles(name: string): readonly PackedFile[] {
  return installed()?.packages[name] ?? [];
}

/** True if its BullMQ supports PostgreSQL. */
export function hasPostgresQueue(): boolean {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'node_modules/bullmq/package.json'), 'utf8'));
  return Number.parseInt(version, 10) >= 6;
}

/** Warnings of npm. */
export function installLog(): string {
  return installed()?.log ?? '';
}

/** Versions of peers: the newest that the hosts accept, or those of `generations.json`. */
export function generation(): string {
  return typeof __GENERATION__ === 'undefined' ? 'newest' : __GENERATION__;
}
