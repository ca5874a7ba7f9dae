import type { Threat } from '../guard.js';

const GUARD = 'caller.guard.ts';
const GUARD_TESTS = 'caller.guard.spec.ts';
const ROUTES_TESTS = 'page-routes.spec.ts';
const HTTP = 'page-roles.once.e2e-spec.ts';
const NO_CONTENT = 'is shown no content by any route, and changes nothing';

export const roles: Threat = {
  title: 'People who may not see or change what they ask for',
  guards: [
    {
      guard: 'roles, at every route',
      suite: GUARD_TESTS,
      test: 'opens to the role %s its routes, and undeclared ones to none but an admin',
      edits: [
        [GUARD, "    requireRole(person, neededRole(context.getHandler(), context.getClass()) ?? 'admin');\n", ''],
      ],
    },
    {
      guard: 'routes without a declared role',
      suite: GUARD_TESTS,
      test: 'opens to the role %s its routes, and undeclared ones to none but an admin',
      edits: [[GUARD, "?? 'admin'", "?? 'viewer'"]],
    },
    {
      guard: 'routes of ours without a declared role',
      suite: ROUTES_TESTS,
      test: 'declare the role that they need, each of them',
      edits: [['erasures.controller.ts', "  @Post()\n  @NeedsRole('admin')\n", '  @Post()\n']],
    },
    {
      guard: "a session's role that the host's resolver does not know",
      suite: GUARD_TESTS,
      test: 'keeps the lower role when a session hands on, whatever the resolver says',
      edits: [[GUARD, 'lowerRole(caller.role, handedOn?.role)', 'caller.role']],
    },
    {
      guard: 'roles that do not exist',
      suite: GUARD_TESTS,
      test: 'treats the role %s as a mistake of the host',
      edits: [['page-role.ts', 'if (Object.hasOwn(PAGE_ROLES, role)) return role;', 'return role;']],
    },
    {
      guard: 'contents of emails, from a viewer',
      suite: HTTP,
      test: NO_CONTENT,
      edits: [
        [
          'as-seen-by.ts',
          'return seesContents(caller) ? shown : { ...shown, html: null, text: null };',
          'return shown;',
        ],
      ],
    },
    {
      guard: 'contents of templates, from a viewer',
      suite: HTTP,
      test: NO_CONTENT,
      edits: [
        [
          'templates.controller.ts',
          'return seesContents(caller) ? template : { ...template, html: null, text: null, variables: [] };',
          'return template;',
        ],
      ],
    },
    {
      guard: 'frames, from a viewer',
      suite: HTTP,
      test: NO_CONTENT,
      edits: [['frames.part.ts', "what === 'topics' ? 'viewer' : 'support'", "'viewer'"]],
    },
    {
      guard: 'messages of the inbox, from a viewer',
      suite: HTTP,
      test: NO_CONTENT,
      edits: [['inbox.part.ts', "return id === undefined ? 'viewer' : 'support';", "return 'viewer';"]],
    },
    {
      guard: 'the role of a key, at the page itself',
      suite: 'key-visitors.spec.ts',
      test: 'admits a session for as much as the role of its key allows now',
      edits: [['key-visitors.ts', '  requireRole(session.caller, needed);\n', '']],
    },
    {
      guard: "the role of the host's sign-in, at the page itself",
      suite: 'host-visitors.spec.ts',
      test: 'admits a person of the role %s where that suffices',
      edits: [['host-visitors.ts', '  requireRole(caller, needed);\n', '']],
    },
    {
      guard: 'keys of the page, at the API',
      suite: HTTP,
      test: 'opens the page, and no route of the API',
      edits: [['refuse-page-key.ts', '  if (caller.role !== undefined) throw ApiError.pageKey();\n', '']],
    },
  ],
};
