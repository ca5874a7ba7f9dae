import type { Operator } from './operator.js';

/** qmail and its patches, which write the status at the end. */
export const QMAIL: Operator = {
  name: 'qmail',
  hosts: [],
  replies: [
    {
      pattern: /\bno mail ?box here by that name\b|\bnot in my validrcptto list\b/i,
      meaning: 'address_unknown',
      source:
        'http://www.sitepackage.de/service/dokumentation/auswertung/typische-fehlermeldungen-bei-unzustellbarkeit.html',
      read: '2026-11-26',
    },
  ],
};
