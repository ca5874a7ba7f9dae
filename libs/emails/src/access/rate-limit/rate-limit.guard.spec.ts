import { jest } from '@jest/globals';
import { type ExecutionContext, Logger } from '@nestjs/common';
import { type Caller, noteCaller } from '../../shared/callers/caller.js';
import { RateLimitGuard } from './rate-limit.guard.js';

const CALLER: Caller = { accountId: 'acme', permission: 'full_access' };

/** Sends two requests of this caller to a guard that admits one a second. */
async function twice(caller: Caller | undefined, limit: number | undefined = 1) {
  const headers = new Map<string, string>();
  const request = {} as Parameters<typeof noteCaller>[0];
  if (caller) noteCaller(request, caller);
  const setHeader = (name: string, value: string) => headers.set(name, value);
  const http = { getRequest: () => request, getResponse: () => ({ setHeader }) };
  const context = { switchToHttp: () => http } as unknown as ExecutionContext;
  const asked: string[] = [];
  const consume = async (accountId: string) => {
    asked.push(accountId);
    return { allowed: asked.length === 1, remaining: 0, msBeforeNext: 400 };
  };
  const guard = new RateLimitGuard(limit === undefined ? undefined : { limit, consume });
  const outcomes = [
    await guard.canActivate(context),
    await guard.canActivate(context).catch((error: unknown) => error),
  ];
  return { outcomes, asked, headers: Object.fromEntries(headers) };
}

describe('RateLimitGuard', () => {
  it('counts by account, and says when to retry', async () => {
    const { outcomes, asked, headers } = await twice(CALLER);
    expect(outcomes).toEqual([true, expect.objectContaining({ statusCode: 429, headers: { 'retry-after': '1' } })]);
    expect(asked).toEqual(['acme', 'acme']);
    expect(headers).toEqual({ 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' });
  });

  it('admits all requests without a limit', async () => {
    const guard = new RateLimitGuard(undefined);
    const context = { switchToHttp: () => ({ getRequest: () => ({}) }) } as unknown as ExecutionContext;
    await expect(guard.canActivate(context)).resolves.toBe(true);
  });

  it('refuses a request without a noted caller, and logs the mistake of the host', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    await expect(twice(undefined)).rejects.toMatchObject({ statusCode: 500 });
    expect(log.mock.calls).toEqual([[expect.stringContaining('`noteCaller`')]]);
    log.mockRestore();
  });

  it.each(['', 'a\0', 'a'.repeat(256)])('does not count for %j, which is not an account', async (accountId) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    await expect(twice({ ...CALLER, accountId })).rejects.toMatchObject({ statusCode: 500 });
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
  });
});
