import { jest } from '@jest/globals';
import { type ExecutionContext, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AccountResolver } from './account-resolver.js';
import { AllowSendingAccess, CallerGuard } from './caller.guard.js';
import { callerOf } from './caller.js';

const sendingAllowed = () => {};
AllowSendingAccess()(sendingAllowed);

/** Runs the guard with a resolver that returns this value. */
async function pass(caller: unknown, handler: () => void = () => {}): Promise<unknown> {
  const request = {} as Parameters<typeof callerOf>[0];
  const accountResolver = { resolve: () => caller } as AccountResolver;
  const guard = new CallerGuard(accountResolver, new Reflector());
  const context = {
    switchToHttp: () => ({ getRequest: () => request }),
    getHandler: () => handler,
    getClass: () => CallerGuard,
  } as unknown as ExecutionContext;
  await guard.canActivate(context);
  return callerOf(request);
}

describe('CallerGuard', () => {
  it('notes the caller', async () => {
    const caller = { accountId: 'a', permission: 'full_access' };
    expect(await pass(caller)).toEqual(caller);
  });

  it.each([
    ['must be a string', undefined],
    ['must be a string', { permission: 'full_access' }],
    ['must be a string', { accountId: 7, permission: 'full_access' }],
    ['must have between 1 and 255 characters', { accountId: '', permission: 'full_access' }],
    ['must have between 1 and 255 characters', { accountId: 'secret'.repeat(50), permission: 'full_access' }],
    ['must be well-formed Unicode without NUL', { accountId: 'secret\0', permission: 'full_access' }],
  ])('treats an account id that %s as a bug of the host, and logs it', async (wrong, caller) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    await expect(pass(caller)).rejects.toMatchObject({ statusCode: 500, name: 'application_error' });
    expect(log.mock.calls).toEqual([[`The account id that \`accountResolver\` gave ${wrong}.`]]);
    log.mockRestore();
  });

  it('keeps sending-only callers from routes that are not opened to them', async () => {
    const caller = { accountId: 'a', permission: 'sending_access' };
    await expect(pass(caller)).rejects.toMatchObject({ statusCode: 401, name: 'restricted_api_key' });
    expect(await pass(caller, sendingAllowed)).toEqual(caller);
  });
});
