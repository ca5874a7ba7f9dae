import type { Threat } from '../guard.js';

const MAILBOX = 'mailbox.spec.ts';
const ADDRESSES = 'hostile-addresses.once.e2e-spec.ts';
const ADDRESS = 'address.ts';
const DOMAIN = 'domain.ts';

export const addresses: Threat = {
  title: 'Addresses that lead elsewhere',
  guards: [
    {
      guard: 'two addresses in one string',
      suite: ADDRESSES,
      test: 'adds no recipient by a trick in `%s`',
      edits: [
        [ADDRESS, "address.includes('@', at + 1) || LIST_SEPARATOR.test(address)", 'at < 0'],
        [DOMAIN, '/^[A-Za-z0-9\\u0080-\\uffff-]+$/', '/^[^]+$/'],
      ],
    },
    {
      guard: 'comments, routes and quoted local parts that hide an address',
      suite: ADDRESSES,
      test: 'adds no recipient by a trick in `%s`',
      edits: [[ADDRESS, '!DOT_ATOM.test(local) && !QUOTED_STRING.test(local)', "local === ''"]],
    },
    {
      guard: 'a second address in front of the angle brackets',
      suite: ADDRESSES,
      test: 'adds no recipient by a trick in `%s`',
      edits: [['mailbox.ts', 'NEEDS_QUOTES.test(text) ||', "text === '<' ||"]],
    },
    {
      guard: 'domains that a URL parser would change: look-alike dots, full width, invisible characters',
      suite: MAILBOX,
      test: 'refuses %s',
      edits: [[DOMAIN, "uLabel !== lowerCase(written.normalize('NFC'))", "uLabel === ''"]],
    },
    {
      guard: 'characters that composition or lower case turns into others',
      suite: 'domain.spec.ts',
      test: 'maps no character of Unicode to another one',
      edits: [[DOMAIN, 'Array.from(written).some(becomesAnother)', "written === ''"]],
    },
    {
      guard: 'IP addresses in any spelling',
      suite: ADDRESSES,
      test: 'adds no recipient by a trick in `%s`',
      edits: [[DOMAIN, "if (LOOKS_NUMERIC.test(labels.at(-1) ?? ''))", "if (domain === '0')"]],
    },
    {
      guard: 'invisible characters in local parts',
      suite: MAILBOX,
      test: 'refuses %s',
      edits: [[ADDRESS, '!ASCII.test(local) && INVISIBLE.test(local)', "local === ''"]],
    },
    {
      guard: 'UTF-8 local parts towards servers that do not offer SMTPUTF8',
      suite: 'smtp-transport.spec.ts',
      test: 'with an internationalised address is refused before a server without SMTPUTF8 gets it',
      edits: [['smtp-transaction.ts', 'if (needsSmtpUtf8 && !extensions.smtpUtf8)', 'if (from === from.concat("x"))']],
    },
    {
      guard: 'addresses that the message builder rewrites',
      suite: ADDRESSES,
      test: 'delivers or refuses an internationalised address: %s',
      edits: [['message-builder.ts', 'MAILBOXES.includes(key)', 'MAILBOXES.includes("x")']],
    },
  ],
};
