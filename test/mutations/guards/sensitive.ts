import type { Edit, Threat } from '../guard.js';

const SUITE = 'sensitive.e2e-spec.ts';
const TRIGGER = 'sensitive.sql.ts';
const HIDDEN = 'arrives whole, and is shown nowhere before and after';
const SHOWN: Edit = ['email.sql.ts', '`${email}.sensitive IS NOT TRUE`', '`true`'];

export const sensitive: Threat = {
  title: 'Content of sensitive mail that outlives it or is shown',
  guards: [
    { guard: 'every answer that shows content', suite: SUITE, test: HIDDEN, edits: [SHOWN] },
    {
      guard: 'attachments of a sensitive email',
      suite: SUITE,
      test: HIDDEN,
      edits: [['attachment.repository.ts', '      if (isSensitive) return [];\n', '']],
    },
    {
      guard: 'links to a sensitive email',
      suite: SUITE,
      test: HIDDEN,
      edits: [
        [
          'sharing.service.ts',
          "    if (isSensitive) throw ApiError.invalid('This email cannot be shared: it is sensitive.');\n",
          '',
        ],
      ],
    },
    {
      guard: 'headers of a sensitive email, in webhooks',
      suite: 'webhooks-payloads.once.e2e-spec.ts',
      test: 'have no headers of sensitive mail',
      edits: [['outbox-next.sql.ts', "CASE WHEN ${isShown('e')} THEN e.headers ELSE '[]' END AS headers", 'e.headers']],
    },
    {
      guard: 'content after the end of its delivery',
      suite: SUITE,
      test: 'is cleared when the next hop refuses it',
      edits: [[TRIGGER, "SET html = NULL, text = NULL, headers = '[]'", 'SET html = html']],
    },
    {
      guard: 'bytes of attachments after the end of its delivery',
      suite: SUITE,
      test: 'is cleared when it is canceled',
      edits: [
        [
          TRIGGER,
          'WHERE hash IN (SELECT content_hash FROM detached)',
          'WHERE hash IN (SELECT NULL::text FROM detached)',
        ],
      ],
    },
    {
      guard: 'the content of other mail, when a sensitive email with the same file is cleared',
      suite: SUITE,
      test: 'shares no attachment with other mail, which keeps its own',
      edits: [['attachment-content.ts', 'return `${accountId}\\0${randomUUID()}`;', 'return accountId;']],
    },
  ],
};
