import type { Operator } from './operator.js';

/** Exchange, also behind Exchange Online. */
export const EXCHANGE: Operator = {
  name: 'exchange',
  hosts: [],
  replies: [
    {
      pattern: /\bRESOLVER\.RST\.(?:RecipSizeLimit|SendSizeLimit)\b/i,
      meaning: 'message_too_large',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Lhost/Exchange2007.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\bRESOLVER\.RST\./i,
      meaning: 'policy_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Lhost/Exchange2007.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\bQuotaExceeded(?:Exception)?\b|\bSTOREDRV\.Deliver; mailbox full\b/i,
      meaning: 'mailbox_full',
      corpus: 'microsoft-021',
    },
    {
      pattern:
        /\bRESOLVER\.ADR\.(?:RecipNotFound|RecipientNotFound|ExRecipNotFound)\b|\bRecipient not found by SMTP address lookup\b/i,
      meaning: 'address_unknown',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Lhost/Exchange2007.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\bRESOLVER\.ADR\.BadPrimary\b|\bSenderFilterAgent\b|\bSender denied\b/i,
      meaning: 'policy_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/ExchangeOnline.pm',
      read: '2026-11-26',
    },
    {
      pattern:
        /\bmaximum number of concurrent connections\b|\bRESOLVER\.FWD\.|\bROUTING\.LoopDetected\b|\bQUEUE\.Expired\b/i,
      meaning: 'route_failed',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Lhost/Exchange2007.pm',
      read: '2026-11-26',
    },
  ],
};
