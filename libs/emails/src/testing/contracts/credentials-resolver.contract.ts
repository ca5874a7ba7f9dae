import type { Credentials, CredentialsResolver } from '../../shared/callers/account-resolver.js';
import type { Caller } from '../../shared/callers/caller.js';
import { checkCaller, checkRefused } from './check-caller.js';
import type { ContractCase, Make } from './contract-case.js';

/** Valid credentials. */
export interface CredentialsResolverExamples {
  credentials: Credentials;
  /** Their account. */
  caller: Caller;
  /** Well-formed tokens that are invalid, such as one of a removed caller. Default: none. */
  wrongTokens?: readonly string[];
}

const NO_TOKENS = ['', ' ', 'x', '\0', '\ud800', 'undefined', 'x'.repeat(100_000)];

/**
 * Checks the promises that are relied on when credentials come without an HTTP request. Tries ten wrong ones with each
 * address.
 *
 * @example
 * ```ts
 * const caller: Caller = { accountId: 'acme', permission: 'full_access' };
 * const examples = { caller, credentials: { token: 're_…' } };
 * for (const { name, run } of credentialsResolverContract(() => app.get(ApiKeyResolver), examples)) test(name, run);
 * ```
 */
export function credentialsResolverContract(
  make: Make<CredentialsResolver>,
  { credentials, caller, wrongTokens = [] }: CredentialsResolverExamples,
): ContractCase[] {
  const { token } = credentials;
  const wrong = [...NO_TOKENS, `${token}x`, `x${token}`, token.slice(0, -1), ...wrongTokens];
  const tryWrong = async (resolver: CredentialsResolver) => {
    for (const guess of wrong) {
      await checkRefused(() => resolver.resolveCredentials({ ...credentials, token: guess }), guess);
    }
  };
  return [
    {
      name: 'finds the account of credentials, with an address and without',
      run: async () => {
        const resolver = await make();
        for (const remoteAddress of [credentials.remoteAddress, undefined, '192.0.2.1', '2001:db8::1']) {
          checkCaller(await resolver.resolveCredentials({ token, remoteAddress }), caller);
        }
      },
    },
    { name: 'refuses unknown credentials, and does not repeat them', run: async () => tryWrong(await make()) },
    {
      name: 'accepts valid credentials among wrong ones, also at the same time',
      run: async () => {
        const resolver = await make();
        const [known] = await Promise.all([resolver.resolveCredentials(credentials), tryWrong(resolver)]);
        checkCaller(known, caller);
        checkCaller(await resolver.resolveCredentials(credentials), caller);
      },
    },
  ];
}
