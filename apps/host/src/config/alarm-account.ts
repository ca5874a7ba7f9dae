/**
 * The account of alarms by email. No key opens it, and it has no quota, suppressions or reputation: an alarm must leave
 * whatever happens to other accounts.
 */
export const ALARM_ACCOUNT = 'alarms';
