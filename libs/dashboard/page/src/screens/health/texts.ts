import type { OperationsReport } from '../../../../src/operations/dashboard-operations';
import { countOf } from '../../parts/numbers';

/** Every text of the Health screen. Sentences about outages are in `parts/outages.ts`, for the banner as well. */
export const TEXTS = {
  title: 'Health',
  notRead: 'The report could not be read',
  notAffected: 'Emails are not affected: accepted ones are kept, and sent as soon as possible.',
  /** Heading for each status. */
  status: { ok: 'Everything works', degraded: 'Degraded', down: 'Down' },
  /** Meaning of a status for the emails. */
  meaning: {
    ok: 'Emails are accepted and sent.',
    degraded: 'New emails are accepted. Waiting emails will be sent when the services below answer.',
    down: 'This process cannot do its work. Accepted emails are kept, and will be sent when the services below answer.',
  } satisfies Readonly<Record<OperationsReport['status'], string>>,
  unknown: 'Not known at the moment.',
  waiting: {
    title: 'Waiting emails',
    oldest: (duration: string) => `The oldest has waited ${duration}.`,
    none: 'No email waits longer than it should.',
    forHop: (count: number) => `${countOf(count)} of these ${count === 1 ? 'waits' : 'wait'} for the next hop.`,
  },
  hop: {
    title: 'Next hop',
    state: 'State',
    states: { up: 'Answers', down: 'Does not answer', unknown: 'Not known to this process' },
    address: 'Address',
    since: 'Since',
    lastSuccess: 'Last email accepted',
    never: 'None since the start',
    lastError: 'Last error',
    rate: 'Last 5 minutes',
    perMinute: (rate: number) => `${countOf(rate)} accepted per minute`,
  },
  transports: {
    title: 'Transports',
    name: 'Name',
    state: 'State',
    states: { up: 'Answers', down: 'Does not answer since', unknown: 'Not known to this process' },
    rate: 'Last 5 minutes',
    unknown: 'Not known',
    perMinute: (rate: number) => `${countOf(rate)} per minute`,
    limits: 'Limits',
    ofDay: (used: string, most: string) => `${used} of ${most} today`,
    perSecond: (rate: string) => `${rate} per second`,
    none: 'None',
  },
  destinations: {
    title: 'Destinations, last 5 minutes',
    domain: 'Domain',
    accepted: 'Accepted',
    others: 'Not accepted',
    none: 'Nothing was sent in this time.',
  },
  checks: { title: 'Services', ok: 'Answers' },
  queue: { title: 'Queue', board: 'Queue board', sameToken: 'It asks for the same token.' },
  subscribers: { title: 'Event subscribers', none: 'This host has no event subscribers.' },
  webhooks: { title: 'Webhooks', events: 'Events' },
  held: {
    title: 'Held accounts',
    none: 'No account is held.',
    meaning: 'Their emails are accepted and kept, and sent once the hold ends.',
    account: 'Account',
    since: 'Since',
    reason: 'Reason',
    more: (count: number) => `And ${countOf(count)} more.`,
  },
  process: { title: 'This process', role: 'Role', uptime: 'Uptime', memory: 'Memory' },
  backlog: (waiting: number, oldest: string) =>
    waiting === 0 ? 'None waiting' : `${countOf(waiting)} waiting, the oldest for ${oldest}`,
  signIn: {
    expired: 'The sign-in of an hour has ended, or the token was changed.',
    explanation: 'Queues and health are for operators of this host, whatever the API key.',
    token: 'Operator token',
    hint: 'The value of ADMIN_TOKEN that the host was started with.',
    action: 'Show health',
    failure: 'The token could not be checked',
  },
} as const;
