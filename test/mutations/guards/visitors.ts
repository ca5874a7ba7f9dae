import type { Threat } from '../guard.js';

const HTTP = 'dashboard-session.once.e2e-spec.ts';
const OWN = 'own-request.ts';
const OWN_TESTS = 'own-request.spec.ts';
const TOKENS = 'session-token.ts';
const TOKENS_TESTS = 'session-token.spec.ts';
const LASTS = 'reads its own tokens until the session ends';
const COOKIE = 'session-cookie.ts';
const COOKIE_TESTS = 'session-cookie.spec.ts';
const PLAIN_COOKIE = 'is without `Secure` on a plain connection: %j, %s';
const KEYS = 'key-visitors.ts';
const KEYS_TESTS = 'key-visitors.spec.ts';
const HOST = 'host-visitors.ts';
const HOST_TESTS = 'host-visitors.spec.ts';
const MACHINE = 'this-machine.ts';
const MACHINE_TESTS = 'this-machine.spec.ts';
const LINKS = 'dashboard-sign-in.ts';
const LINKS_TESTS = 'dashboard-sign-in.spec.ts';
const OPTIONS = 'dashboard.options.check.ts';
const OPTIONS_TESTS = 'dashboard.options.check.spec.ts';

export const visitors: Threat = {
  title: 'Others in the place of who is signed in to the page',
  guards: [
    {
      guard: 'requests that other sites have the browser make',
      suite: OWN_TESTS,
      test: 'refuses %j',
      edits: [[OWN, "if (site !== undefined && site !== 'same-origin') throw foreign();", '']],
    },
    {
      guard: 'requests of other origins, those of this machine too',
      suite: OWN_TESTS,
      test: 'refuses %j',
      edits: [[OWN, 'if (!isHere && origin !== originOf(publicUrl)) throw foreign();', '']],
    },
    {
      guard: 'requests that no script of the page has made',
      suite: OWN_TESTS,
      test: 'returns the page token of a request, and refuses a request without one',
      edits: [[OWN, "if (typeof shown !== 'string') throw foreign();", "if (typeof shown !== 'string') return '';"]],
    },
    {
      guard: 'sessions that another page begins or ends',
      suite: HTTP,
      test: 'is not started, ended or read by another page: %j',
      edits: [['session.part.ts', 'requireOwnScript(request, this.surroundings.publicUrl);', '']],
    },
    {
      guard: 'forms in place of JSON, which any page may send',
      suite: 'visit-body.spec.ts',
      test: 'takes no %j',
      edits: [
        [
          'visit-body.ts',
          "if (!/^application\\/json\\s*(;|$)/i.test(request.headers['content-type'] ?? '')) throw ApiError.unsupportedMediaType();",
          '',
        ],
      ],
    },
    {
      guard: 'frames that another page opens',
      suite: 'dashboard-frames.once.e2e-spec.ts',
      test: 'refuse other pages: %j',
      edits: [[KEYS, 'requireOwnOrigin(request, this.scope.publicUrl);', '']],
    },
    {
      guard: 'other servers on this machine, which get the cookie',
      suite: KEYS_TESTS,
      test: 'reveals nothing of a session to a visitor with its cookie alone',
      edits: [
        [
          KEYS,
          'return this.tokens.isPageToken(claims, requireOwnScript(request, this.scope.publicUrl));',
          'return requireOwnScript(request, this.scope.publicUrl) !== claims.keyId;',
        ],
      ],
    },
    {
      guard: 'page tokens of other sessions',
      suite: TOKENS_TESTS,
      test: 'gives each session a different page token',
      edits: [
        [TOKENS, 'mac(this.first, `page ${sessionId}`)', "mac(this.first, 'page')"],
        [TOKENS, 'mac(key, `page ${sessionId}`)', "mac(key, 'page')"],
      ],
    },
    {
      guard: 'sessions that nobody has signed',
      suite: TOKENS_TESTS,
      test: 'accepts no other token: %s',
      edits: [[TOKENS, ' || !isEqual(signature, mac(key, `session ${payload}`))', '']],
    },
    {
      guard: 'sessions that were not used for an hour',
      suite: TOKENS_TESTS,
      test: LASTS,
      edits: [[TOKENS, ' && now < idleUntil', '']],
    },
    {
      guard: 'sessions of more than 12 hours',
      suite: TOKENS_TESTS,
      test: LASTS,
      edits: [[TOKENS, 'now < endsAt && ', '']],
    },
    {
      guard: 'sessions of revoked keys',
      suite: HTTP,
      test: 'ends with its key',
      edits: [['key-lookup.service.ts', 'WHERE id = $1 AND revoked_at IS NULL', 'WHERE id = $1']],
    },
    {
      guard: 'ended sessions, by a copied cookie',
      suite: KEYS_TESTS,
      test: 'refuses a copied cookie of an ended session',
      edits: [[KEYS, ' || (await this.ended.has(claims))', '']],
    },
    {
      guard: 'sessions of keys that may only send by now',
      suite: KEYS_TESTS,
      test: 'recognises a signed-in visitor while the key has full access',
      edits: [[KEYS, "if (caller?.permission !== 'full_access' ||", 'if (!caller ||']],
    },
    {
      guard: 'signing in with a key that may only send',
      suite: KEYS_TESTS,
      test: 'starts no session with a sending-only key',
      edits: [[KEYS, "if (caller.permission !== 'full_access') {", 'if (caller.permission === undefined) {']],
    },
    {
      guard: 'keys that are tried out at the page',
      suite: HTTP,
      test: 'counts wrong keys like the API',
      edits: [['api-key-authenticator.ts', 'await this.failedKeys.count(remoteAddress);', '']],
    },
    {
      guard: 'cookies that scripts read',
      suite: COOKIE_TESTS,
      test: PLAIN_COOKIE,
      edits: [[COOKIE, 'HttpOnly; ', '']],
    },
    {
      guard: 'cookies that other sites send',
      suite: COOKIE_TESTS,
      test: PLAIN_COOKIE,
      edits: [[COOKIE, 'SameSite=Strict', 'SameSite=None']],
    },
    {
      guard: 'cookies for the rest of the host',
      suite: COOKIE_TESTS,
      test: PLAIN_COOKIE,
      edits: [[COOKIE, 'Path=${mount}', 'Path=/']],
    },
    {
      guard: 'cookies without TLS where there is some',
      suite: COOKIE_TESTS,
      test: 'is `Secure` behind TLS: %j, %s',
      edits: [[COOKIE, "isBehindTls(request) || publicUrl?.startsWith('https:') ? '; Secure' : ''", "''"]],
    },
    {
      guard: 'cookies of another host on this machine that signing out would take away',
      suite: KEYS_TESTS,
      test: 'keeps the cookies of another host on this machine',
      edits: [[KEYS, '.filter(({ signer }) => this.tokens.knows(secretOf(signer)))', '']],
    },
    {
      guard: 'API keys at the routes of the page',
      suite: HTTP,
      test: 'refuses requests of another page: %j',
      edits: [
        [
          'api-handover.ts',
          "if (request.headers.authorization !== undefined && this.visitors.signIn === 'key') throw refuseKeys();",
          '',
        ],
      ],
    },
    {
      guard: 'another page in the same application, whose sessions are others',
      suite: 'api-handover.spec.ts',
      test: 'leaves requests to another page in the same application alone',
      edits: [['api-handover.ts', 'if (!this.handedOver.has(request)) return next();', '']],
    },
    {
      guard: 'anything but the API by way of the page',
      suite: HTTP,
      test: 'has nothing but the API: %s',
      edits: [['api-handover.ts', 'if (!this.routes.answer(request)) throw ApiError.notFound();', '']],
    },
    {
      guard: 'links of the start that are opened on another machine',
      suite: KEYS_TESTS,
      test: 'accepts a code from this machine alone, and once',
      edits: [
        [
          KEYS,
          'isFromThisMachine(request) ? this.invitations.redeem(code) : undefined',
          'this.invitations.redeem(code)',
        ],
      ],
    },
    {
      guard: 'links of the start that were used',
      suite: LINKS_TESTS,
      test: 'makes unguessable codes, each valid once',
      edits: [[LINKS, '    this.invitations.delete(code);\n', '']],
    },
    {
      guard: 'links of the start after an hour',
      suite: LINKS_TESTS,
      test: 'expires codes after an hour',
      edits: [[LINKS, ' && Date.now() < invitation.expires', '']],
    },
    {
      guard: 'links of the start without number',
      suite: LINKS_TESTS,
      test: 'keeps a hundred, the newest',
      edits: [
        [LINKS, 'if (this.invitations.size > CAPACITY && oldest !== undefined) this.invitations.delete(oldest);', ''],
      ],
    },
    {
      guard: 'callers from elsewhere who pass for this machine',
      suite: MACHINE_TESTS,
      test: 'does not treat a caller at %s as local',
      edits: [[MACHINE, "LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') && ", '']],
    },
    {
      guard: 'callers behind a proxy who pass for this machine',
      suite: MACHINE_TESTS,
      test: 'does not treat a caller behind a proxy as local: %s',
      edits: [[MACHINE, "if (headers.forwarded || headers['x-forwarded-for']) return false;", '']],
    },
    {
      guard: 'pages whose name was made to lead to this machine',
      suite: MACHINE_TESTS,
      test: 'refuses a page that calls this machine %j',
      edits: [[MACHINE, " && isOwnName(headers.host ?? '')", '']],
    },
    {
      guard: "visitors that the host's own guards refuse",
      suite: HOST_TESTS,
      test: 'refuses a visitor whose guard answers %s',
      edits: [
        [
          HOST,
          "if (!isLet) throw new ApiError(403, 'invalid_access', 'This host does not let you see this page.');",
          '',
        ],
      ],
    },
    {
      guard: 'what other pages ask of a host with guards of its own',
      suite: HOST_TESTS,
      test: 'refuses requests of another page',
      edits: [[HOST, 'Promise<Caller> {\n    requireOwnScript(request, this.publicUrl);\n', 'Promise<Caller> {\n']],
    },
    {
      guard: 'frames that other pages open of a host with guards of its own',
      suite: HOST_TESTS,
      test: 'refuses requests of another page',
      edits: [[HOST, '    requireOwnOrigin(request, this.publicUrl);\n', '']],
    },
    {
      guard: 'who may only send, where the host signs people in',
      suite: HOST_TESTS,
      test: 'refuses sending-only callers with a message',
      edits: [[HOST, "if (caller.permission !== 'full_access') throw ApiError.restrictedApiKey();", '']],
    },
    {
      guard: 'short secrets that sign sessions',
      suite: OPTIONS_TESTS,
      test: 'reports the problem: %s',
      edits: [[OPTIONS, 'secret.length < SHORTEST_SECRET', 'secret.length < 0']],
    },
    {
      guard: 'a path of the page that would write into its html or its cookies',
      suite: OPTIONS_TESTS,
      test: 'reports the problem: %s',
      edits: [[OPTIONS, '/^(\\/(?!\\.{1,2}(\\/|$))[\\w.-]+)+$/.test(path)', "path.startsWith('/')"]],
    },
  ],
};
