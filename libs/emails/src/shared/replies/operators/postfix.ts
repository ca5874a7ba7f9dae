import type { Operator } from './operator.js';

/** Postfix, whose tables let a policy refuse a recipient under 5.7.1. */
export const POSTFIX: Operator = {
  name: 'postfix',
  hosts: [],
  replies: [
    {
      pattern: /\bSender address rejected: /i,
      meaning: 'policy_rejected',
      source: 'https://github.com/vdukhovni/postfix/blob/v3.7.11/postfix/src/smtpd/smtpd_check.c',
      read: '2026-11-26',
    },
    {
      pattern: /\bRecipient address rejected: (?:Greylisted|unverified address: .*(?:in progress|timed out|refused))/i,
      meaning: 'policy_rejected',
      corpus: 'mailprotector-002',
    },
    {
      pattern: /\bRecipient address rejected: (?:\S+ )?(?:(?:Quota|mailbox)\b.*\b(?:exceeded|full)\b)/i,
      meaning: 'mailbox_full',
      corpus: 'free-001',
    },
    {
      pattern: /\bRecipient address rejected: .{0,40}\b(?:inactive|disabled|suspended|closed|locked|expired)\b/i,
      meaning: 'address_disabled',
      source: 'https://github.com/ActiveCampaign/smtp-field-manual/issues/11',
      read: '2026-11-26',
    },
    {
      pattern:
        /\bRecipient address rejected: (?:undeliverable address: )?(?:user |the |email |e-?mail |recipient |this |account |mailbox |address |alias |\S+@\S+ |<\S+> ){0,6}(?:unknown|does ?n[o']t exist|not found|invalid|not in recipient list|invalid-recipient|no such|not a valid|not exist|is not known)/i,
      meaning: 'address_unknown',
      source: 'https://github.com/mlandauer/cuttlefish/issues/191',
      read: '2026-11-26',
    },
    {
      pattern: /\bUser unknown in (?:local recipient|virtual (?:alias|mailbox)|relay recipient) table\b/i,
      meaning: 'address_unknown',
      source: 'https://github.com/mlandauer/cuttlefish/issues/191',
      read: '2026-11-26',
    },
    {
      pattern: /\bRelay access denied\b|\bHelo command rejected: |\bClient host rejected: /i,
      meaning: 'policy_rejected',
      source: 'https://github.com/vdukhovni/postfix/blob/v3.7.11/postfix/src/smtpd/smtpd_check.c',
      read: '2026-11-26',
    },
  ],
};
