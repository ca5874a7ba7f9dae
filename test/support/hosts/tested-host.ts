import { fileURLToPath } from 'node:url';
import { hostKind, packageFolder } from '../jest/test-environment.js';

/** The whole environment a program gets besides PATH and HOME. An undefined value leaves the variable out. */
export type HostEnvironment = Record<string, string | undefined>;

/** Facts about a host for tests of the contract. */
interface TestedHost {
  /** Base path of the contract. */
  readonly basePath: string;
  /** The folder of its programs. */
  readonly programs: string;
  /** Answers 200, to the key of the tests, when everything is up. */
  readonly readyPath: string;
  /** Maps settings of our host to its own. */
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

/** Keys of further accounts of a minimal host. */
export function spareKeys(key = ''): string[] {
  return Array.from({ length: 5 }, (_, index) => `${key}-${index}`);
}

/** The host under test of the running jest project. */
export const testedHost: TestedHost = hostKind() === 'minimal' ? minimal() : ours;
