import type { Operator } from './operator.js';

/** Mail.ru, Yandex and Rambler. */
export const MAILRU: Operator = {
  name: 'mailru',
  hosts: ['mail.ru', 'yandex.ru', 'yandex.net', 'rambler.ru'],
  replies: [
    {
      pattern: /\bmessage sending for this account is disabled\b/i,
      meaning: 'sender_limit',
      source: 'https://mailout.ru/2015/09',
      read: '2026-11-26',
    },
    {
      pattern: /\bLocal mailbox \S+ is unavailable: account is disabled\b/i,
      meaning: 'address_disabled',
      source: 'https://smtp.codes/550',
      read: '2026-11-26',
    },
    {
      pattern: /\bLocal mailbox \S+ is unavailable: user not found\b|\binvalid mailbox\. +Local mailbox\b/i,
      meaning: 'address_unknown',
      source: 'https://smtp.codes/550',
      read: '2026-11-26',
    },
    {
      pattern: /\brecipient address rejected: Inactive\b/i,
      meaning: 'address_disabled',
      source: 'https://smtp.codes/540',
      read: '2026-11-26',
    },
    {
      pattern: /\bmailbox (?:full|size limit exceeded)\b/i,
      meaning: 'mailbox_full',
      source: 'https://mailout.ru/2015/09',
      read: '2026-11-26',
    },
  ],
};
