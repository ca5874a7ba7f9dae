import type { Edit, Threat } from '../guard.js';

const ACCOUNTS = 'hostile-accounts.once.e2e-spec.ts';
const ABSENT = 'is hidden: %s answers like for an absent object';

const anyAccount = (file: string, before: string, after: string, account = '$1'): Edit => [
  file,
  `${before}account_id = ${account}${after}`,
  before.endsWith('e.')
    ? `${before.slice(0, -2)}(e.account_id = ${account} OR true)${after}`
    : `${before}(account_id = ${account} OR true)${after}`,
];

export const accounts: Threat = {
  title: 'One account in the place of another',
  guards: [
    {
      guard: 'emails as cursors',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [anyAccount('email.sql.ts', 'SELECT seq FROM nestjs_emails.emails WHERE ', ' AND id')],
    },
    {
      guard: 'emails in the list',
      suite: ACCOUNTS,
      test: 'has separate lists',
      edits: [anyAccount('email.sql.ts', 'SELECT * FROM nestjs_emails.emails WHERE ', ' AND ${position}')],
    },
    {
      guard: 'emails as messages',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [anyAccount('email.sql.ts', 'WHERE e.', ' AND e.id')],
    },
    {
      guard: 'attachments that are opened within the process',
      suite: 'programmatic.e2e-spec.ts',
      test: 'opens an attachment for the account that has sent it, and for no other',
      edits: [
        ['attachment.repository.ts', 'where: { id, accountId }', 'where: { id }'],
        ['attachments.service.ts', 'stored?.accountId !== accountId', '!stored'],
      ],
    },
    {
      guard: 'emails in frames of the page',
      suite: 'dashboard-frames.once.e2e-spec.ts',
      test: 'show no email of another account',
      edits: [anyAccount('found-email.sql.ts', 'WHERE e.', ' AND e.id')],
    },
    {
      guard: 'idempotency keys',
      suite: ACCOUNTS,
      test: 'has separate names and idempotency keys',
      edits: [
        [
          'accept.sql.ts',
          'SELECT DISTINCT ON ("accountId", idempotency->>\'key\') "accountId",',
          "SELECT DISTINCT ON (\"accountId\", idempotency->>'key') 'one',",
        ],
        anyAccount('email.sql.ts', 'WHERE ', ' AND key = $2'),
      ],
    },
    {
      guard: 'topics, contacts and templates that are read',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [['account.repository.ts', '{ ...key, accountId } as', '{ ...key } as']],
    },
    {
      guard: 'topics, contacts and templates that are changed',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [
        ['account.repository.ts', '.set(changes)\n      .where({ ...key, accountId })', '.set(changes).where(key)'],
      ],
    },
    {
      guard: 'topics, contacts and templates that are deleted',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [['account.repository.ts', '.delete()\n      .where({ ...key, accountId })', '.delete().where(key)']],
    },
    {
      guard: 'other lists and their cursors',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [anyAccount('keyset-page.ts', 'WHERE id = $1 AND ', ' AND', '$2')],
    },
    {
      guard: 'topics in an email',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [['contact-topic-policy.ts', '{ id: topicId, accountId }', '{ id: topicId }']],
    },
    {
      guard: 'topics in the choices of a contact',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [
        [
          'write-topic-choices.ts',
          'where: { accountId, id: In([...chosen.keys()]) }',
          'where: { id: In([...chosen.keys()]) }',
        ],
      ],
    },
    {
      guard: 'templates in an email',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [['published-template-source.ts', 'where: { ...key, accountId }', 'where: key']],
    },
    {
      guard: 'API keys that are revoked',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [['api-keys.repository.ts', '{ id, accountId, revokedAt: IsNull() }', '{ id, revokedAt: IsNull() }']],
    },
  ],
};
