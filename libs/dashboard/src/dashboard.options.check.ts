import type { EmailsDashboardExtras, EmailsDashboardOptions } from './dashboard.options.js';

const DEFAULT_PATH = '/dashboard';
const SHORTEST_SECRET = 32;

/** @throws Error that names every option that is wrong and says what would be right */
export function checkOptions(
  options: EmailsDashboardOptions | undefined,
  { guards, path }: EmailsDashboardExtras,
): void {
  const { keys, accountResolver, secretKeys = [], publicUrl } = options ?? {};
  const hasGuards = guards !== undefined && guards.length > 0;
  const problems = [
    ...(keys === undefined && !hasGuards
      ? ['`keys` is missing: it says whose an API key is, so that people can sign in. Or pass `guards` of your own.']
      : []),
    ...(keys !== undefined && hasGuards ? ['of `keys` and `guards` only one can say who comes.'] : []),
    ...(hasGuards && typeof accountResolver?.resolve !== 'function'
      ? ['`accountResolver` is missing: it says whose a request is that the guards let pass.']
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
    ...(path !== undefined && !isMount(path)
      ? [
          '`path` must begin with a slash, end with none, and have only letters, digits, `-`, `_`, `.` and slashes in it, but no part `.` or `..`.',
        ]
      : []),
  ];
  if (problems.length > 0) throw new Error(`EmailsDashboardModule: ${problems.join(' ')}`);
}

/** Where the page is: begins with a slash and ends with none. */
export function mountOf(path = DEFAULT_PATH): string {
  return path;
}

function isMount(path: unknown): boolean {
  return typeof path === 'string' && /^(\/(?!\.{1,2}(\/|$))[\w.-]+)+$/.test(path);
}
