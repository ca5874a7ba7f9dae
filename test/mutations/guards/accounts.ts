import type { Edit, Threat } from '../guard.js';

const ACCOUNTS = 'hostile-accounts.once.e2e-spec.ts';
const ABSENT = 'is not there: %s answers as for what does not exist';
const ROWS = 'account-rows.ts';

const anyAccount = (file: string, before: string, after: string, account = '$1'): Edit => [
  file,
  `${before}account_id = ${account}${after}`,
  `${before}(account_id = ${account} OR true)${after}`,
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
      test: 'has lists of its own',
      edits: [anyAccount('email.sql.ts', 'SELECT * FROM nestjs_emails.emails WHERE ', ' AND ${position}')],
    },
    {
      guard: 'idempotency keys',
      suite: ACCOUNTS,
      test: 'has names and idempotency keys of its own',
      edits: [
        [
          'email.sql.ts',
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
      edits: [
        anyAccount(
          ROWS,
          'FROM ${this.source.table} WHERE ',
          ' AND ${key.column} = $2`,\n      [accountId, key.value],\n    );\n    return row;',
        ),
      ],
    },
    {
      guard: 'topics, contacts and templates that are changed',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [anyAccount(ROWS, '       WHERE ', ' AND ${key.column} = $2 RETURNING ${columns}')],
    },
    {
      guard: 'topics, contacts and templates that are deleted',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [anyAccount(ROWS, 'DELETE FROM ${this.source.table} WHERE ', ' AND')],
    },
    {
      guard: 'other lists and their cursors',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [anyAccount('list-page.ts', 'WHERE id = $1 AND ', ' AND', '$2')],
    },
    {
      guard: 'topics in an email',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [anyAccount('contact-topic-policy.ts', 'SELECT 1 FROM topics WHERE id = $1 AND ', "'", '$2')],
    },
    {
      guard: 'topics in the choices of a contact',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [anyAccount('topic-choices.service.ts', 'SELECT id FROM topics WHERE ', ' AND')],
    },
    {
      guard: 'templates in an email',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [anyAccount('published-template-source.ts', 'SELECT published FROM templates WHERE ', ' AND')],
    },
    {
      guard: 'API keys that are revoked',
      suite: ACCOUNTS,
      test: ABSENT,
      edits: [anyAccount('api-keys.service.ts', 'WHERE id = $1 AND ', ' AND revoked_at IS NULL', '$2')],
    },
  ],
};
