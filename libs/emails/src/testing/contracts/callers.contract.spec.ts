import type { IncomingMessage } from 'node:http';
import type { AccountResolver, Credentials, CredentialsResolver } from '../../shared/callers/account-resolver.js';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { accountResolverContract } from './account-resolver.contract.js';
import { brokenOf } from './contracts.spec-tools.js';
import { credentialsResolverContract } from './credentials-resolver.contract.js';

const CALLER: Caller = { accountId: 'one', permission: 'full_access' };
const TOKEN = 're_the_right_token';
const refuse = (): never => {
  throw ApiError.invalidApiKey();
};

describe('accountResolverContract', () => {
  const accounts = new WeakMap<IncomingMessage, Caller>();
  const request = () => {
    const passed = {} as IncomingMessage;
    accounts.set(passed, CALLER);
    return passed;
  };
  const broken = async (resolve: (request: IncomingMessage) => unknown) =>
    Object.values(
      await brokenOf(
        accountResolverContract(() => ({ resolve }) as AccountResolver, {
          request,
          caller: CALLER,
          unseen: () => ({}) as IncomingMessage,
        }),
      ),
    );

  it('is kept by a correct resolver, synchronous or not', async () => {
    expect(await broken((request) => accounts.get(request) ?? refuse())).toEqual([]);
    expect(await broken(async (request) => accounts.get(request) ?? refuse())).toEqual([]);
  });

  it.each<[string, (request: IncomingMessage) => unknown, RegExp]>([
    ['resolves all to the same caller', () => CALLER, /was admitted/],
    ['returns the last caller', remembering(), /was admitted/],
    ['knows nobody', refuse, /unknown, malformed/],
    ['says nothing', () => undefined, /must be a string/],
    ['gives a number', (one) => accounts.has(one) && { ...CALLER, accountId: 7 }, /must be a string/],
    ['gives no permission', (one) => accounts.has(one) && { accountId: 'one' }, /permission must be/],
    ['gives another account', () => ({ ...CALLER, accountId: 'two' }), /another account/],
    ['returns additional fields', () => ({ ...CALLER, permission: 'sending_access' }), /another permission/],
    [
      'throws for strangers',
      (one) => ({ ...(accounts.get(one) as Caller), of: accounts.get(one)?.accountId.length ?? stumble() }),
      /must be an ApiError/,
    ],
    ['refuses with another status', (one) => accounts.get(one) ?? fail(ApiError.notFound()), /401, not 404/],
  ])('is broken by one that %s', async (_, resolve, complaint) => {
    expect((await broken(resolve)).join()).toMatch(complaint);
  });

  function remembering() {
    let last: Caller | undefined;
    return (request: IncomingMessage) => {
      last = accounts.get(request) ?? last;
      return last ?? refuse();
    };
  }
});

describe('credentialsResolverContract', () => {
  const broken = async (resolveCredentials: (credentials: Credentials) => unknown) =>
    Object.values(
      await brokenOf(
        credentialsResolverContract(() => ({ resolveCredentials }) as CredentialsResolver, {
          credentials: { token: TOKEN },
          caller: CALLER,
          wrongTokens: ['re_of_yesterday'],
        }),
      ),
    );

  it('is kept by a correct resolver', async () => {
    expect(await broken(async ({ token }) => (token === TOKEN ? CALLER : refuse()))).toEqual([]);
  });

  it.each<[string, (credentials: Credentials) => unknown, RegExp]>([
    ['admits all', async () => CALLER, /was admitted/],
    ['compares only a prefix', async ({ token }) => (token.startsWith(TOKEN) ? CALLER : refuse()), /was admitted/],
    [
      'never forgets',
      async ({ token }) => (token.startsWith('re_of') || token === TOKEN ? CALLER : refuse()),
      /was admitted/,
    ],
    ['answers nobody', async ({ token }) => (token === TOKEN ? CALLER : undefined), /was admitted/],
    ['knows nobody', async () => refuse(), /unknown, malformed/],
    [
      'needs an address',
      async (one) => (one.token === TOKEN && one.remoteAddress ? CALLER : refuse()),
      /unknown, malformed/,
    ],
    ['gives no account', async ({ token }) => (token === TOKEN ? { ...CALLER, accountId: '' } : refuse()), /1 and 255/],
    ['fails', async ({ token }) => (token === TOKEN ? CALLER : fail(new Error('no such row'))), /must be an ApiError/],
    [
      'says 403',
      async ({ token }) => (token === TOKEN ? CALLER : fail(new ApiError(403, 'not_found', ''))),
      /401, not 403/,
    ],
    [
      'repeats a secret',
      async ({ token }) => (token === TOKEN ? CALLER : fail(new ApiError(401, 'invalid_api_key', `Not ${token}.`))),
      /repeat no secret/,
    ],
  ])('is broken by one that %s', async (_, resolve, complaint) => {
    expect((await broken(resolve)).join()).toMatch(complaint);
  });
});

function fail(error: Error): never {
  throw error;
}

function stumble(): never {
  throw new TypeError('Cannot read properties of undefined');
}
