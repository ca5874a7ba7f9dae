import { jest } from '@jest/globals';
import { type ExecutionContext, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AccountResolver } from './account-resolver.js';
import { AllowSendingAccess, CallerGuard } from './caller.guard.js';
import { type Caller, callerOf } from './caller.js';
import { handOn } from './handed-on.js';
import { NeedsRole } from './page-role.js';
import type { PageRole } from './page-roles.js';

const sendingAllowed = () => {};
AllowSendingAccess()(sendingAllowed);

/** Runs the guard with a resolver that returns this value. */
async function pass(caller: unknown, handler: () => void = () => {}, handedOn?: Caller): Promise<unknown> {
  const request = {} as Parameters<typeof callerOf>[0];
  if (handedOn) handOn(request, handedOn);
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

  const ROUTES: Readonly<Record<PageRole | 'undeclared', () => void>> = {
    viewer: () => {},
    support: () => {},
    admin: () => {},
    undeclared: () => {},
  };
  for (const role of ['viewer', 'support', 'admin'] as const) NeedsRole(role)(ROUTES[role]);

  it.each([
    ['viewer', ['viewer']],
    ['support', ['viewer', 'support']],
    ['admin', ['viewer', 'support', 'admin', 'undeclared']],
    [undefined, ['viewer', 'support', 'admin', 'undeclared']],
  ] as const)('opens to the role %s its routes, and undeclared ones to none but an admin', async (role, open) => {
    const caller = { accountId: 'a', permission: 'full_access', ...(role && { role }) };
    for (const [name, handler] of Object.entries(ROUTES)) {
      if ((open as readonly string[]).includes(name)) expect(await pass(caller, handler)).toEqual(caller);
      else await expect(pass(caller, handler)).rejects.toMatchObject({ statusCode: 403, name: 'invalid_access' });
    }
  });

  it('keeps the lower role when a session hands on, whatever the resolver says', async () => {
    const admin: Caller = { accountId: 'a', permission: 'full_access' };
    const viewer: Caller = { ...admin, role: 'viewer' };
    expect(await pass(admin, ROUTES.viewer, viewer)).toMatchObject(viewer);
    await expect(pass(admin, ROUTES.support, viewer)).rejects.toMatchObject({ statusCode: 403 });
    await expect(pass(viewer, ROUTES.support, { ...admin, role: 'admin' })).rejects.toMatchObject({ statusCode: 403 });
  });

  it.each(['owner', null, 'constructor'])('treats the role %s as a mistake of the host', async (role) => {
    const caller = { accountId: 'a', permission: 'full_access', role };
    await expect(pass(caller, ROUTES.viewer)).rejects.toThrow('must be `viewer`, `support` or `admin`');
  });
});
