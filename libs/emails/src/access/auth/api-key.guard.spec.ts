import { jest } from '@jest/globals';
import { type ExecutionContext, Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { DomainDirectory } from '../../index.js';
import type { IdentifiedKey } from '../../shared/callers/account-resolver.js';
import { callerOf, type Permission } from '../../shared/callers/caller.js';
import type { EndedSessionsService } from '../sessions/ended-sessions.service.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { ApiKeyResolver } from './api-key-resolver.js';
import { FailedKeysService } from './failed-keys.service.js';
import { KeyLookupService } from './key-lookup.service.js';
import type { KeyUsageService } from './key-usage.service.js';
import { hashToken } from './token.js';

const TOKEN = 're_12345678';

function setUp(find: (token: string) => Promise<IdentifiedKey | null>, directory?: DomainDirectory) {
  const used: string[] = [];
  const usage = { note: (id: string) => void used.push(id) };
  const authenticator = new ApiKeyAuthenticator(
    { find } as unknown as KeyLookupService,
    usage as KeyUsageService,
    new FailedKeysService(),
    directory,
  );
  const guard = new ApiKeyGuard(authenticator);
  const resolver = new ApiKeyResolver(authenticator, {} as EndedSessionsService);
  const headers = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '192.0.2.9' };
  const socket: { remoteAddress?: string } = { remoteAddress: '192.0.2.1' };
  const request = { headers, rawHeaders: [], socket } as never;
  const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
  return { guard, resolver, context, request, headers, socket, used };
}

const keyOf = (permission: Permission): IdentifiedKey => ({ id: 'key', caller: { accountId: 'account', permission } });
const refusal = (statusCode: number, name: string) => expect.objectContaining({ statusCode, name });

describe('ApiKeyGuard', () => {
  it('lets a known key pass, notes its use and gives the library the caller', async () => {
    const { guard, resolver, context, request, used } = setUp(async (token) =>
      token === TOKEN ? keyOf('sending_access') : null,
    );
    await expect(guard.canActivate(context)).resolves.toBe(true);
    expect(resolver.resolve(request)).toEqual({
      accountId: 'account',
      permission: 'sending_access',
    });
    expect(used).toEqual(['key']);
  });

  it('refuses a key that is bound to a domain where nothing knows the domains', async () => {
    const caller = { accountId: 'account', permission: 'sending_access', domainId: 'domain' } as const;
    const bound = async () => ({ id: 'key', caller });
    const { guard, context, request, used } = setUp(bound);
    await expect(guard.canActivate(context)).rejects.toEqual(refusal(403, 'restricted_api_key'));
    expect(callerOf(request)).toBeUndefined();
    expect(used).toEqual([]);
    const known = setUp(bound, { nameOf: async () => 'shop.test', returnPathOf: async () => undefined });
    await expect(known.guard.canActivate(known.context)).resolves.toBe(true);
    expect(callerOf(known.request)).toEqual(caller);
  });

  it('refuses an unknown key', async () => {
    const { guard, context, request, used } = setUp(async () => null);
    await expect(guard.canActivate(context)).rejects.toEqual(refusal(401, 'invalid_api_key'));
    expect(callerOf(request)).toBeUndefined();
    expect(used).toEqual([]);
  });

  it('refuses the 101st unknown key of an address with 429, and still accepts a valid key', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    let known: IdentifiedKey | null = null;
    const { guard, context, headers, socket } = setUp(async () => known);
    for (let count = 0; count < 100; count += 1) {
      headers['x-forwarded-for'] = `192.0.2.${count}`;
      await expect(guard.canActivate(context)).rejects.toEqual(refusal(401, 'invalid_api_key'));
    }
    await expect(guard.canActivate(context)).rejects.toMatchObject({
      statusCode: 429,
      headers: { 'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) },
    });
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
    known = keyOf('full_access');
    await expect(guard.canActivate(context)).resolves.toBe(true);
    known = null;
    socket.remoteAddress = '192.0.2.2';
    await expect(guard.canActivate(context)).rejects.toEqual(refusal(401, 'invalid_api_key'));
  });

  it('looks up all keys beyond the limit of an address in one query, and finds the valid one', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const queries: string[][] = [];
    const tokenHash = hashToken(TOKEN);
    const query = async (_sql: string, [hashes]: [Buffer[]]) => {
      queries.push(hashes.map((hash) => hash.toString('hex')));
      const known = hashes.some((hash) => hash.equals(tokenHash));
      return known ? [{ id: 'key', account_id: 'account', permission: 'full_access', token_hash: tokenHash }] : [];
    };
    const lookup = new KeyLookupService({ query } as unknown as DataSource);
    const usage = { note: () => {} } as unknown as KeyUsageService;
    const guard = new ApiKeyGuard(new ApiKeyAuthenticator(lookup, usage, new FailedKeysService()));
    const ask = (token: string, remoteAddress: string) => {
      const request = { headers: { authorization: `Bearer ${token}` }, rawHeaders: [], socket: { remoteAddress } };
      return guard.canActivate({ switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext);
    };
    const tryOut = (count: number, address: string) =>
      Promise.allSettled(Array.from({ length: count }, (_, n) => ask(`re_guess_${count}_${n}`, address)));

    await tryOut(100, '192.0.2.1');
    expect(queries.splice(0)).toHaveLength(100);
    const [guesses, valid] = await Promise.all([tryOut(900, '192.0.2.1'), ask(TOKEN, '192.0.2.1')]);
    expect(guesses.map(({ status }) => status)).toEqual(Array(900).fill('rejected'));
    expect(valid).toBe(true);
    expect(queries.flat()).toHaveLength(901);
    expect(queries.splice(0)).toHaveLength(2);
    await tryOut(3, '192.0.2.2');
    expect(queries.splice(0)).toHaveLength(3);
    warn.mockRestore();
  });

  it('counts neither a request without a key nor a failure of the server', async () => {
    const { guard, context, headers } = setUp(() => Promise.reject(new Error('Connection terminated')));
    for (let count = 0; count < 150; count += 1) {
      await expect(guard.canActivate(context)).rejects.toEqual(refusal(503, 'application_error'));
    }
    headers.authorization = '';
    for (let count = 0; count < 150; count += 1) {
      await expect(guard.canActivate(context)).rejects.toEqual(refusal(401, 'missing_api_key'));
    }
  });

  it.each([
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    new Error('timeout exceeded when trying to connect'),
  ])('answers 503 when the database cannot be asked: %s', async (error) => {
    const { guard, context } = setUp(() => Promise.reject(error));
    await expect(guard.canActivate(context)).rejects.toEqual(refusal(503, 'application_error'));
  });

  it('does not hide bugs', async () => {
    const bug = Object.assign(new Error('relation "api_keys" does not exist'), { code: '42P01' });
    const { guard, context } = setUp(() => Promise.reject(bug));
    await expect(guard.canActivate(context)).rejects.toBe(bug);
  });
});

describe('ApiKeyResolver', () => {
  it('resolves a token without a request', async () => {
    const { resolver, used } = setUp(async (token) => (token === TOKEN ? keyOf('full_access') : null));
    await expect(resolver.resolveCredentials({ token: TOKEN })).resolves.toEqual(keyOf('full_access').caller);
    expect(used).toEqual(['key']);
  });

  it.each(['', 'short', 're_unknown8', `re_${'x'.repeat(300)}`])('refuses %.20p, and counts it', async (token) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const { resolver } = setUp(async () => null);
    const credentials = { token, remoteAddress: '192.0.2.1' };
    for (let count = 0; count < 100; count += 1) {
      await expect(resolver.resolveCredentials(credentials)).rejects.toEqual(refusal(401, 'invalid_api_key'));
    }
    await expect(resolver.resolveCredentials(credentials)).rejects.toMatchObject({ statusCode: 429 });
    warn.mockRestore();
  });

  it.each([undefined, null, 7, [TOKEN]])('refuses %j, which is not a string', async (token) => {
    const { resolver } = setUp(async (token) => (hashToken(token) ? null : null));
    const credentials = { token: token as unknown as string };
    await expect(resolver.resolveCredentials(credentials)).rejects.toEqual(refusal(401, 'invalid_api_key'));
  });

  it('reports a missing guard', () => {
    const { resolver, request } = setUp(async () => null);
    expect(() => resolver.resolve(request)).toThrow(refusal(401, 'missing_api_key'));
  });
});
