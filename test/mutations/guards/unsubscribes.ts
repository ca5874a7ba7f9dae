import type { Threat } from '../guard.js';

const TOKENS = 'unsubscribe-tokens.spec.ts';
const PAGE = 'unsubscribe-page.once.e2e-spec.ts';
const MESSAGES = 'unsubscribable-messages.spec.ts';
const RULE = 'unsubscribe-rule.spec.ts';
const LIMITS = 'unsubscribe-limits.spec.ts';
const PLAIN = 'plain-page.spec.ts';

export const unsubscribes: Threat = {
  title: 'Links that unsubscribe another person, or tell about them',
  guards: [
    {
      guard: 'tokens that nobody has sealed',
      suite: TOKENS,
      test: 'cannot be changed in any place, cut, or written in another way',
      edits: [
        ['sealed-bytes.ts', 'decipher.final()', 'Buffer.of()'],
        ['unsubscribe-tokens.ts', " || bytes.toString('base64url') !== text", ''],
      ],
    },
    {
      guard: 'accounts and addresses that a token would tell',
      suite: TOKENS,
      test: 'lead back to account, topic, email and address, and show none of them',
      edits: [['sealed-bytes.ts', 'cipher.update(bytes)', 'bytes']],
    },
    {
      guard: 'boundaries between account and address that a token could move',
      suite: TOKENS,
      test: 'do not mix accounts: no two splits of account and address are the same',
      edits: [['unsubscribe-tokens.ts', 'asUuid ? AS_UUID : account.length', '0']],
    },
    {
      guard: 'a link of one recipient in a message to several',
      suite: MESSAGES,
      test: 'are as they were %s',
      edits: [['unsubscribable-messages.ts', ' && recipients.length === 1', '']],
    },
    {
      guard: 'one click without a signature',
      suite: MESSAGES,
      test: 'offer one click only for a signed message and an https link',
      edits: [['unsubscribable-messages.ts', ' && (await this.parts.signers.signs(accountId, fromDomain))', '']],
    },
    {
      guard: 'a text that grows with each placeholder',
      suite: MESSAGES,
      test: 'replace a hundred placeholders: a value of a variable may have many',
      edits: [['unsubscribe-url.ts', 'left-- > 0 ? url : placeholder', 'url']],
    },
    {
      guard: 'placeholders for a link that several recipients would share',
      suite: RULE,
      test: 'refuses %.40j',
      edits: [['unsubscribe-rule.ts', 'recipients.length > 1 && ', 'recipients.length > 9 && ']],
    },
    {
      guard: 'names of people that would have an email refused',
      suite: RULE,
      test: 'does not count values of variables: anybody may have such a name',
      edits: [['unsubscribe-rule.ts', 'inTemplate ?? ', '']],
    },
    {
      guard: 'scanners of mail that follow links',
      suite: PAGE,
      test: 'changes nothing when it is only opened',
      edits: [
        [
          'unsubscribe.controller.ts',
          'if (reader) await this.show(reader, null, request, response);',
          "if (reader) await this.make({ kind: 'one_click' }, reader);\n    if (reader) await this.show(reader, null, request, response);",
        ],
      ],
    },
    {
      guard: 'private topics that anybody with a link would join',
      suite: PAGE,
      test: 'does not let anybody in to a private topic',
      edits: [['reader-choices.ts', " || (subscription === 'opt_in' && !topic.isOpen)", '']],
    },
    {
      guard: 'topics that come back unasked after everything was left',
      suite: PAGE,
      test: 'keeps readers out of everything who were so by the API, when they opt in to one topic',
      edits: [['reader-choices.ts', 'if (back.length > 0) await manager', 'if (back.length > 9) await manager']],
    },
    {
      guard: 'contacts of accounts that have ended',
      suite: PAGE,
      test: 'makes no contact of an account that has no topics any more',
      edits: [['reader-choices.ts', 'if (!known) return;', '']],
    },
    {
      guard: 'a locked contact that others wait for',
      suite: PAGE,
      test: 'holds nobody up while the contact of another is locked',
      edits: [['unlocked.ts', '`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`', "'SET LOCAL lock_timeout = 0'"]],
    },
    {
      guard: 'bodies without end, of readers with a link',
      suite: PAGE,
      test: 'refuses forms that it does not know, without a change',
      edits: [
        ['read-form.ts', 'if (Number(length ?? 0) > LIMIT) throw ApiError.tooLarge(LIMIT);', ''],
        ['read-form.ts', '{ limit: LIMIT }', '{}'],
      ],
    },
    {
      guard: 'guesses of tokens without a limit',
      suite: LIMITS,
      test: 'count wrong links of a network, and let its valid ones pass',
      edits: [
        [
          'unsubscribe-limits.ts',
          'private readonly wrong = new RateLimiterMemory({ points: LIMIT',
          'private readonly wrong = new RateLimiterMemory({ points: 9 * LIMIT',
        ],
      ],
    },
    {
      guard: 'requests with one link without a limit',
      suite: LIMITS,
      test: 'count the valid links of a reader, in any spelling of the address',
      edits: [['unsubscribe-limits.ts', 'addressKey(address)', 'address']],
    },
    {
      guard: 'names of topics that are taken for markup',
      suite: PLAIN,
      test: 'escapes names, descriptions, addresses and texts',
      edits: [['escaped-html.ts', ".replaceAll('<', '&lt;')", '']],
    },
    {
      guard: 'whole addresses on a page that others may open',
      suite: PLAIN,
      test: 'has a button for each choice, named by its topic, and one for everything',
      edits: [['plain-page.ts', 'address: maskedAddress(address)', 'address']],
    },
    {
      guard: 'pages of choices in frames of others',
      suite: PLAIN,
      test: 'needs no script, image or other file, and its policy allows none',
      edits: [['plain-page.ts', '"frame-ancestors \'none\'"', '"frame-ancestors *"']],
    },
    {
      guard: 'mails that unsubscribe any person they name',
      suite: 'unsubscribe-addresses.spec.ts',
      test: 'cannot be changed in any place, and belong to their domain',
      edits: [
        [
          'unsubscribe-addresses.ts',
          'if (!this.keys.some((key) => timingSafeEqual(signatureOf(body, key), signature))) return undefined;',
          '',
        ],
      ],
    },
  ],
};
