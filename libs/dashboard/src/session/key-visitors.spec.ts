import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type Caller, type PageRole, type Permission, SecretKeys } from 'nestjs-emails';
import { DashboardSignIn } from './dashboard-sign-in.js';
import { EndedSessions } from './ended-sessions.js';
import { KeyVisitors } from './key-visitors.js';
import { SessionTokens } from './session-token.js';

const KEY = 'a key';
const REFUSED = expect.objectContaining({ statusCode: 401 });

function setUp() {
  const known: { permission: Permission | undefined; role?: PageRole } = { permission: 'full_access' };
  const callerOf = (permission: Permission): Caller => ({ accountId: 'acme', permission, role: known.role });
  const keys = {
    identifyKey: async () => ({ id: 'id of the key', caller: callerOf(known.permission ?? 'full_access') }),
    callerOfKey: async () => known.permission && callerOf(known.permission),
  };
  const tokens = new SessionTokens(new SecretKeys(['s'.repeat(32)]).for('dashboard sessions v1'));
  const invitations = new DashboardSignIn();
  const scope = { mount: '/dashboard', publicUrl: undefined };
  const visitors = new KeyVisitors(keys, tokens, invitations, scope, new EndedSessions(undefined));
  return { known, invitations, visitors };
}

const [, RESPONSE] = exchange();

type Visitor = ReturnType<typeof setUp>['visitors'];

function exchange(headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
  const request = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }));
  Object.assign(request.headers, { host: '127.0.0.1', 'x-emails-page': '', ...headers });
  return [request, new ServerResponse(request)] as const;
}

const cookiesOf = (response: ServerResponse) => [response.getHeader('set-cookie') ?? []].flat().map(String);

/** A request of a signed-in visitor. */
async function signedIn(visitors: Visitor): Promise<ReturnType<typeof exchange>> {
  const [request, response] = exchange();
  const { pageToken } = await visitors.begin({ token: KEY }, request, response);
  const [cookie = ''] = cookiesOf(response).map((line) => line.split(';')[0] ?? '');
  return exchange({ cookie, 'x-emails-page': pageToken });
}

describe('KeyVisitors', () => {
  it('recognises a signed-in visitor while the key has full access', async () => {
    const { known, visitors } = setUp();
    const [request, response] = await signedIn(visitors);
    await expect(visitors.admit(request, RESPONSE, 'viewer')).resolves.toMatchObject({ accountId: 'acme' });
    await expect(visitors.admitFrame(request, RESPONSE, 'viewer')).resolves.toMatchObject({ accountId: 'acme' });
    for (const permission of [undefined, 'sending_access'] as const) {
      known.permission = permission;
      await expect(visitors.admit(request, RESPONSE, 'viewer')).rejects.toEqual(REFUSED);
      await expect(visitors.admitFrame(request, RESPONSE, 'viewer')).rejects.toEqual(REFUSED);
      await expect(visitors.describe(request, response)).resolves.toMatchObject({ signedIn: false, key: null });
    }
  });

  it('admits a session for as much as the role of its key allows now', async () => {
    const { known, visitors } = setUp();
    const [request, response] = await signedIn(visitors);
    const allowed = { viewer: 1, support: 2, admin: 3 };
    for (const role of ['viewer', 'support', 'admin'] as const) {
      known.role = role;
      expect(await visitors.describe(request, response)).toMatchObject({ role });
      for (const needed of ['viewer', 'support', 'admin'] as const) {
        for (const admitted of [visitors.admit, visitors.admitFrame]) {
          const answer = admitted.call(visitors, request, response, needed);
          if (allowed[needed] <= allowed[role]) await expect(answer).resolves.toMatchObject({ role });
          else await expect(answer).rejects.toMatchObject({ statusCode: 403, name: 'invalid_access' });
        }
      }
    }
  });

  it('starts no session with a sending-only key', async () => {
    const { known, visitors } = setUp();
    known.permission = 'sending_access';
    const [request, response] = exchange();
    await expect(visitors.begin({ token: KEY }, request, response)).rejects.toEqual(REFUSED);
    expect(cookiesOf(response)).toEqual([]);
  });

  it('reveals nothing of a session to a visitor with its cookie alone', async () => {
    const { visitors } = setUp();
    const [request, response] = await signedIn(visitors);
    await expect(visitors.describe(request, response)).resolves.toMatchObject({ signedIn: true });
    request.headers['x-emails-page'] = 'another';
    await expect(visitors.describe(request, response)).resolves.toMatchObject({ signedIn: false, key: null });
    await expect(visitors.admit(request, RESPONSE, 'viewer')).rejects.toEqual(REFUSED);
  });

  it('accepts a code from this machine alone, and once', async () => {
    const { invitations, visitors } = setUp();
    const code = invitations.codeFor(KEY);
    await expect(visitors.begin({ code }, ...exchange({}, '192.0.2.1'))).rejects.toEqual(REFUSED);
    await expect(visitors.begin({ code }, ...exchange({ host: 'rebound.test' }))).rejects.toEqual(REFUSED);
    await expect(visitors.begin({ code }, ...exchange())).resolves.toMatchObject({ pageToken: expect.any(String) });
    await expect(visitors.begin({ code }, ...exchange())).rejects.toEqual(REFUSED);
  });

  it('refuses a copied cookie of an ended session', async () => {
    const { visitors } = setUp();
    const [request] = await signedIn(visitors);
    const [other] = await signedIn(visitors);
    await visitors.end(...exchange({ cookie: String(request.headers.cookie) }));
    await expect(visitors.admit(request, RESPONSE, 'viewer')).rejects.toEqual(REFUSED);
    await expect(visitors.admitFrame(request, RESPONSE, 'viewer')).rejects.toEqual(REFUSED);
    await expect(visitors.admit(other, RESPONSE, 'viewer')).resolves.toMatchObject({ accountId: 'acme' });
  });

  it('keeps the cookies of another host on this machine', async () => {
    const { visitors } = setUp();
    const [request, response] = await signedIn(visitors);
    const own = request.headers.cookie?.split('=')[0];
    request.headers.cookie += '; emails_xxxxxxxxxxxx=a; emails_operator_xxxxxxxxxxxx=b';
    await visitors.end(request, response);
    expect(cookiesOf(response)).toEqual([expect.stringContaining(`${own}=;`)]);
  });
});
