import type { IncomingMessage, ServerResponse } from 'node:http';
import { jest } from '@jest/globals';
import { type ApiRoutes, callerHandedOn } from 'nestjs-emails';
import type { Visitors } from '../session/visitors.js';
import { ApiHandover } from './api-handover.js';

const routes = { prefix: '/v1', answer: () => true } as unknown as ApiRoutes;
const response = {} as ServerResponse;
const requestFor = (url: string) => ({ url, headers: {} }) as IncomingMessage;

function handover(mount: string, signIn: Visitors['signIn'] = 'key') {
  const admit = jest.fn(async () => ({ accountId: mount, permission: 'full_access' }));
  return { admit, handover: new ApiHandover(mount, routes, { signIn, admit } as unknown as Visitors) };
}

describe('ApiHandover', () => {
  it('maps paths below its own to the API, and keeps all others', () => {
    const { rename } = handover('/dashboard').handover;
    for (const [url, expected] of [
      ['/dashboard/api/emails?limit=1', '/v1/emails?limit=1'],
      ['/dashboard/api', '/dashboard/api'],
      ['/dashboard/apis', '/dashboard/apis'],
      ['/dashboard', '/dashboard'],
      ['/v1/emails', '/v1/emails'],
    ] as const) {
      const request = requestFor(url);
      rename(request, response, () => {});
      expect(request.url).toBe(expected);
    }
  });

  it('keeps paths that are not of the API, so that nothing else in the application answers', async () => {
    const none = { prefix: '/v1', answer: () => false } as unknown as ApiRoutes;
    const admit = jest.fn(async () => ({ accountId: 'a', permission: 'full_access' }));
    const { rename } = new ApiHandover('/dashboard', none, { signIn: 'key', admit } as unknown as Visitors);
    const request = requestFor('/dashboard/api/admin/queues');
    rename(request, response, () => {});
    expect(request.url).toBe('/dashboard/api/admin/queues');
  });

  it.each(['key', 'host'] as const)('passes the caller to guards that require an API key: %s', async (signIn) => {
    const { rename, admit } = handover('/dashboard', signIn).handover;
    const request = requestFor('/dashboard/api/emails');
    rename(request, response, () => {});
    await admit(request, response, () => {});
    const page = { sessionId: null };
    expect(callerHandedOn(request)).toEqual({ accountId: '/dashboard', permission: 'full_access', page });
  });

  it('leaves requests to another page in the same application alone', async () => {
    const [one, other] = [handover('/one'), handover('/other')];
    const request = requestFor('/other/api/emails');
    one.handover.rename(request, response, () => {});
    other.handover.rename(request, response, () => {});
    await one.handover.admit(request, response, () => {});
    expect(one.admit).not.toHaveBeenCalled();
    await other.handover.admit(request, response, () => {});
    expect(other.admit).toHaveBeenCalledTimes(1);
  });
});
