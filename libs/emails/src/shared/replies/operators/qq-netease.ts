import { FREEMAIL, type Operator } from './operator.js';

/** QQ Mail, NetEase (163, 126) and other users of Coremail. */
export const QQ_NETEASE: Operator = {
  name: 'qq-netease',
  hosts: ['qq.com', 'foxmail.com', '163.com', '126.com', 'yeah.net', 'netease.com'],
  mailboxes: {
    domains: ['qq.com', 'vip.qq.com', 'foxmail.com', '163.com', '126.com', 'yeah.net'],
    ...FREEMAIL,
  },
  replies: [
    {
      pattern:
        /(?<![A-Za-z])(?:HL|MI|DT|RP|WM|SPF|DKIM):(?:REP|ICC|IFC|MEP|CEL|DMC|CCL|DRC|RBL|BLI|BLU|SFQ|NHD|SPB|STC|SPF|IHU|IPB|IFQ|ERR)\b/,
      meaning: 'policy_rejected',
      corpus: 'netease-001',
    },
    {
      pattern: /(?<![A-Za-z])DT:(?:SPM|SUM|SPD)\b/,
      meaning: 'content_rejected',
      source: 'https://github.com/zabbix-book/zabbix_mail_with_graph/issues/1',
      read: '2026-11-26',
    },
    {
      pattern: /(?<![A-Za-z])RC:(?:LD|NE)\b/,
      meaning: 'address_unknown',
      source: 'https://www.dbmailserver.com/tui-xin-address-not-exist.htm',
      read: '2026-11-26',
    },
    {
      pattern: /\bMailbox not found\. ?http|\bUser not found: \S+@/i,
      meaning: 'address_unknown',
      source: 'https://www.dbmailserver.com/tui-xin-address-not-exist.htm',
      read: '2026-11-26',
    },
    {
      pattern: /\bUser (?:suspended|hangup)\b/i,
      meaning: 'address_disabled',
      source: 'https://www.icoremail.vip/support/index.php?cate_id=84&page=5&start=0',
      read: '2026-11-26',
    },
    {
      pattern: /\bunavailable mail user\b/i,
      meaning: 'address_unknown',
      source: 'https://www.dbmailserver.com/tui-xin-address-not-exist.htm',
      read: '2026-11-26',
    },
    {
      pattern: /\buser is locked\b/i,
      meaning: 'address_disabled',
      isOnlyAtHost: true,
      corpus: 'sina-004',
    },
  ],
};
