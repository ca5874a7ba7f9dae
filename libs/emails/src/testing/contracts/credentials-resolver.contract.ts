import type { Credentials, CredentialsResolver } from '../../shared/callers/account-resolver.js';
import type { Caller } from '../../shared/callers/caller.js';
import { checkCaller, checkRefused } from './check-caller.js';
import type { ContractCase, Make } from './contract-case.js';

/** Credentials that are good. */
export interface CredentialsResolverExamples {
  credentials: Credentials;
  /** Whose they are. */
  caller: Caller;
  /** Tokens that are not good, besides those that cannot be: of somebody who was removed, say. Default: none. */
  wrongTokens?: readonly string[];
}

const NO_TOKENS = ['', ' ', 'x', '\0', '\ud800', 'undefined', 'x'.repeat(100_000)];

/** What is relied on when credentials come without an HTTP request. Ten wrong ones are tried with each address. */
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
      name: 'knows whose credentials are, with an address and without',
      run: async () => {
        const resolver = await make();
        for (const remoteAddress of [credentials.remoteAddress, undefined, '192.0.2.1', '2001:db8::1']) {
          checkCaller(await resolver.resolveCredentials({ token, remoteAddress }), caller);
        }
      },
    },
    { name: 'refuses credentials that nobody has, and repeats none', run: async () => tryWrong(await make()) },
    {
      name: 'knows good credentials among wrong ones, also at the same time',
      run: async () => {
        const resolver = await make();
        const [known] = await Promise.all([resolver.resolveCredentials(credentials), tryWrong(resolver)]);
        checkCaller(known, caller);
        checkCaller(await resolver.resolveCredentials(credentials), caller);
      },
    },
  ];
}
