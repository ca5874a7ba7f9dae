import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type CanActivate, UnauthorizedException } from '@nestjs/common';
import type { PageRole, Permission } from 'nestjs-emails';
import { of } from 'rxjs';
import { HostVisitors } from './host-visitors.js';

function setUp(
  answers: readonly CanActivate['canActivate'][],
  permission: Permission = 'full_access',
  role?: PageRole,
) {
  const guards = answers.map((canActivate) => ({ canActivate }));
  const visitors = new HostVisitors(guards, { resolve: () => ({ accountId: 'acme', permission, role }) }, undefined);
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, { host: 'a.test', 'x-emails-page': '' });
  return { visitors, request, response: new ServerResponse(request) };
}

const unauthorized = () => {
  throw new UnauthorizedException();
};

describe('HostVisitors', () => {
  it.each([[[() => true]], [[async () => true]], [[() => of(true)]], [[() => true, () => of(true)]]])(
    'admits a visitor whom all guards admit, in any form of guard',
    async (answers) => {
      const { visitors, request, response } = setUp(answers);
      await expect(visitors.admit(request, response, 'viewer')).resolves.toEqual({
        accountId: 'acme',
        permission: 'full_access',
      });
      await expect(visitors.admitFrame(request, response, 'viewer')).resolves.toMatchObject({ accountId: 'acme' });
      expect(await visitors.describe(request, response)).toMatchObject({ signedIn: true, permission: 'full_access' });
    },
  );

  it.each([
    ['false', () => false],
    ['no value at the end', () => of()],
    ['no, in an exception', unauthorized],
  ])('refuses a visitor whose guard answers %s', async (_, answer) => {
    const { visitors, request, response } = setUp([() => true, answer as () => boolean]);
    await expect(visitors.admit(request, response, 'viewer')).rejects.toThrow();
    await expect(visitors.admitFrame(request, response, 'viewer')).rejects.toThrow();
    expect(await visitors.describe(request, response)).toMatchObject({ signedIn: false, permission: null });
  });

  it('refuses requests of another page', async () => {
    const { visitors, request, response } = setUp([() => true]);
    const refusal = expect.objectContaining({ statusCode: 403 });
    request.headers['sec-fetch-site'] = 'cross-site';
    await expect(visitors.admit(request, response, 'viewer')).rejects.toEqual(refusal);
    await expect(visitors.admitFrame(request, response, 'viewer')).rejects.toEqual(refusal);
    await expect(visitors.describe(request, response)).rejects.toEqual(refusal);
    delete request.headers['sec-fetch-site'];
    delete request.headers['x-emails-page'];
    await expect(visitors.admit(request, response, 'viewer')).rejects.toEqual(refusal);
    await expect(visitors.describe(request, response)).rejects.toEqual(refusal);
  });

  it('refuses sending-only callers with a message', async () => {
    const { visitors, request, response } = setUp([() => true], 'sending_access');
    const refusal = expect.objectContaining({ statusCode: 401, name: 'restricted_api_key' });
    await expect(visitors.admit(request, response, 'viewer')).rejects.toEqual(refusal);
    await expect(visitors.admitFrame(request, response, 'viewer')).rejects.toEqual(refusal);
    expect(await visitors.describe(request, response)).toMatchObject({ signedIn: false, permission: 'sending_access' });
  });

  it.each([
    ['viewer', ['viewer']],
    ['support', ['viewer', 'support']],
    ['admin', ['viewer', 'support', 'admin']],
    [undefined, ['viewer', 'support', 'admin']],
  ] as const)('admits a person of the role %s where that suffices', async (role, allowed: readonly PageRole[]) => {
    const { visitors, request, response } = setUp([() => true], 'full_access', role);
    for (const needed of ['viewer', 'support', 'admin'] as const) {
      for (const admitted of [visitors.admit, visitors.admitFrame]) {
        const answer = admitted.call(visitors, request, response, needed);
        if (allowed.includes(needed)) await expect(answer).resolves.toMatchObject({ accountId: 'acme' });
        else await expect(answer).rejects.toMatchObject({ statusCode: 403, name: 'invalid_access' });
      }
    }
    expect(await visitors.describe(request, response)).toMatchObject({ signedIn: true, role: role ?? 'admin' });
  });

  it('treats a role that does not exist as a mistake of the host', async () => {
    const { visitors, request, response } = setUp([() => true], 'full_access', 'owner' as PageRole);
    await expect(visitors.admit(request, response, 'viewer')).rejects.toThrow('must be `viewer`');
    await expect(visitors.describe(request, response)).rejects.toThrow('must be `viewer`');
  });

  it('does not treat the failure of a guard as a refusal', async () => {
    const { visitors, request, response } = setUp([
      () => {
        throw new Error('no database');
      },
    ]);
    await expect(visitors.describe(request, response)).rejects.toThrow('no database');
  });
});
