import type { EmailsDashboardExtras, EmailsDashboardOptions } from './dashboard.options.js';

const DEFAULT_PATH = '/dashboard';
const SHORTEST_SECRET = 32;

/** @throws Error that names every invalid option and a valid value */
export function checkOptions(
  options: EmailsDashboardOptions | undefined,
  { guards, path }: EmailsDashboardExtras,
): void {
  const { keys, accountResolver, secretKeys = [], publicUrl, environment, accountName } = options ?? {};
  const hasGuards = guards !== undefined && guards.length > 0;
  const problems = [
    ...(keys === undefined && !hasGuards
      ? ['`keys` is missing: it resolves API keys, with which people sign in. Or pass your own `guards`.']
      : []),
    ...(keys !== undefined && hasGuards ? ['only one of `keys` and `guards` can sign visitors in.'] : []),
    ...(hasGuards && typeof accountResolver?.resolve !== 'function'
      ? ['`accountResolver` is missing: it resolves the account of a request that the guards admit.']
      : []),
    ...(keys !== undefined && (typeof keys.identifyKey !== 'function' || typeof keys.callerOfKey !== 'function')
      ? ['`keys` must have `identifyKey` and `callerOfKey`, as `ApiKeyResolver` has.']
      : []),
    ...(secretKeys.some((secret) => typeof secret !== 'string' || secret.length < SHORTEST_SECRET)
      ? [`each of \`secretKeys\` must have ${SHORTEST_SECRET} characters or more.`]
      : []),
    ...(publicUrl !== undefined && !/^https?:\/\/\S+$/.test(publicUrl)
      ? ['`publicUrl` must be an http or https address.']
      : []),
    ...(environment !== undefined && typeof environment !== 'string' ? ['`environment` must be a text.'] : []),
    ...(accountName !== undefined && typeof accountName !== 'function'
      ? ['`accountName` must be a function from the id of an account to its name.']
      : []),
    ...(path !== undefined && !isMount(path)
      ? [
          '`path` must begin with a slash, end with none, and have only letters, digits, `-`, `_`, `.` and slashes in it, but no part `.` or `..`.',
        ]
      : []),
  ];
  if (problems.length > 0) throw new Error(`EmailsDashboardModule: ${problems.join(' ')}`);
}

/** Mount path of the page: starts with a slash and ends without one. */
export function mountOf(path = DEFAULT_PATH): string {
  return path;
}

function isMount(path: unknown): boolean {
  return typeof path === 'string' && /^(\/(?!\.{1,2}(\/|$))[\w.-]+)+$/.test(path);
}
