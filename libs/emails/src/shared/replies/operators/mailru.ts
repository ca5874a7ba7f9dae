import { FREEMAIL, type Operator } from './operator.js';

/** Mail.ru, Yandex and Rambler. */
export const MAILRU: Operator = {
  name: 'mailru',
  hosts: ['mail.ru', 'yandex.ru', 'yandex.net', 'rambler.ru'],
  mailboxes: {
    domains: ['mail.ru', 'bk.ru', 'inbox.ru', 'list.ru', 'yandex.ru', 'yandex.com', 'ya.ru', 'rambler.ru'],
    ...FREEMAIL,
  },
  replies: [
    {
      pattern: /\bmessage sending for this account is disabled\b/i,
      meaning: 'sender_limit',
      corpus: 'mailru-002',
    },
    {
      pattern: /\bLocal mailbox \S+ is unavailable: account is disabled\b/i,
      meaning: 'address_disabled',
      corpus: 'mailru-006',
    },
    {
      pattern: /\bLocal mailbox \S+ is unavailable: user not found\b|\binvalid mailbox\. +Local mailbox\b/i,
      meaning: 'address_unknown',
      source: 'https://gitlab.com/warsaw/flufl.bounce/-/blob/4.0/flufl/bounce/tests/data/simple_39.txt',
      read: '2026-11-26',
    },
    {
      pattern: /\brecipient address rejected: Inactive\b/i,
      meaning: 'address_disabled',
      isOnlyAtHost: true,
      corpus: 'rambler-002',
    },
    {
      pattern: /\bmailbox (?:full|size limit exceeded)\b/i,
      meaning: 'mailbox_full',
      isOnlyAtHost: true,
      corpus: 'yandex-005',
    },
  ],
};
