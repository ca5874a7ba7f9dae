import { fileURLToPath } from 'node:url';
import { hostKind, packageFolder } from '../jest/test-environment.js';

/** The whole environment a program gets besides PATH and HOME. An undefined value leaves the variable out. */
export type HostEnvironment = Record<string, string | undefined>;

/** What tests of the contract have to know of a host. */
interface TestedHost {
  /** Where the paths of the contract begin. */
  readonly basePath: string;
  /** The folder of its programs. */
  readonly programs: string;
  /** Answers 200, to the key of the tests, when everything is up. */
  readonly readyPath: string;
  /** What it is told, in the words of our own host, in its own words. */
  readonly environment: (env: HostEnvironment) => HostEnvironment;
}

const ours: TestedHost = {
  basePath: '',
  programs: fileURLToPath(new URL('../../../apps/host/dist', import.meta.url)),
  readyPath: '/health/ready',
  environment: (env) => env,
};

/** `test/hosts/minimal`, installed from the packed package. */
const minimal = (): TestedHost => ({
  basePath: '/api/v1',
  programs: `${packageFolder()}/dist`,
  readyPath: '/emails?limit=1',
  environment: ({ BOOTSTRAP_API_KEY: key, RETRY_SCHEDULE, ...env }) => ({
    ...env,
    API_KEYS: [`default:${key}`, ...spareKeys(key).map((spare, index) => `spare${index}:${spare}`)].join(','),
    RETRY_SECONDS: RETRY_SCHEDULE?.replaceAll(
      /(\d+)(ms|s)/g,
      (_, number, unit) => `${unit === 's' ? number : number / 1000}`,
    ),
  }),
});

/** Keys of accounts that a minimal host has besides the first. */
export function spareKeys(key = ''): string[] {
  return Array.from({ length: 5 }, (_, index) => `${key}-${index}`);
}

/** The host that the running jest project is about. */
export const testedHost: TestedHost = hostKind() === 'minimal' ? minimal() : ours;
