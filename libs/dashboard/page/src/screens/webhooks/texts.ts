import { countedOf } from '../../parts/numbers';

/** All texts of Webhooks. */
export const TEXTS = {
  title: 'Webhooks',
  list: 'Webhooks',
  listFailed: 'The webhooks could not be listed',
  readFailed: 'The webhook could not be read',
  new: 'New webhook',
  emptyTitle: 'No webhooks yet',
  emptyLead: 'A webhook notifies your server of the events of emails. Create one here, or with the API:',
  missingTitle: 'There is no webhook with this id',
  missingLead: 'It may have been deleted.',
  all: 'All webhooks',
  back: 'Webhooks',
  one: 'The webhook',
  created: 'created',
  events: (count: number) => countedOf(count, 'event'),

  rate: (share: number) => `${share === 1 ? '100' : (Math.floor(share * 1_000) / 10).toFixed(1)} %`,
  rateTitle: (events: number) => `Successful among the latest ${events} events`,
  noRate: 'not tried yet',
  successRate: 'success',

  edit: 'Edit',
  rotate: 'Rotate the secret',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',

  disabling: {
    title: 'Disable the webhook?',
    action: 'Disable webhook',
    failure: 'The webhook could not be disabled',
    effect:
      'Nothing more is sent to it. Pending events are dropped, and are not restored when it is enabled again. Its log stays. Emails are sent as before.',
  },
  enabling: {
    title: 'Enable the webhook?',
    action: 'Enable webhook',
    failure: 'The webhook could not be enabled',
    effect: 'It receives events from then on. Events from the time while it was disabled are not sent.',
  },
  rotating: {
    title: 'Rotate the signing secret?',
    action: 'Rotate secret',
    failure: 'The signing secret could not be rotated',
    effect:
      'A new secret is created and shown here. For 24 hours requests are signed with both secrets: configure the new one in your server in that time.',
  },
  deleting: {
    title: 'Delete the webhook?',
    action: 'Delete webhook',
    failure: 'The webhook could not be deleted',
    effect:
      'Nothing more is sent to it, pending events are dropped, and its log is deleted. It cannot be restored. Emails are sent as before.',
  },

  form: {
    edit: 'Edit the webhook',
    save: 'Save webhook',
    create: 'Create webhook',
    notChanged: 'The webhook could not be changed',
    notCreated: 'The webhook could not be created',
    meaning: 'Emails are sent as before.',
    chosen: (count: number) => `${countedOf(count, 'event')} selected`,
    endpoint: 'Endpoint',
    endpointHint: 'Events are posted to this URL.',
    endpointExample: 'https://example.com/webhooks',
    types: 'Events',
    chosenOf: (count: number, all: number) => `${count} of ${all}`,
    all: (group: string) => `All events of ${group}`,
  },
  summary: (parts: readonly { group: string; count: number; isAll: boolean }[]) =>
    parts.map(({ group, count, isAll }) => `${isAll ? 'all' : count} of ${group}`).join(', '),

  answers: {
    title: 'Attempts',
    failed: 'The attempts could not be read',
    none: 'None yet.',
    gone: 'The attempts of this event are no longer kept.',
    noAnswer: 'no answer',
    /** Reasons of the log, in which an attempt without an answer has the status 0. */
    failures: {
      'address not allowed': 'The endpoint leads to an address that this host does not call.',
      dns: 'The host name of the endpoint was not found.',
      'connection refused': 'The endpoint refused the connection.',
      unreachable: 'The endpoint could not be reached.',
      tls: 'No secure connection could be made: check the certificate of the endpoint.',
      timeout: 'The endpoint did not answer in time.',
      'connection reset': 'The endpoint closed the connection before it answered.',
      'answer too large': 'The answer of the endpoint was too large.',
      'invalid answer': 'The answer of the endpoint was not valid HTTP.',
    },
    answered: (status: number) => `answered ${status}`,
  },

  test: 'Send test event',
  testTitle: 'Send a test event?',
  testLead: 'An event of made-up data is sent in the form of a real one. It is signed and logged like any other.',
  testType: 'Event',
  testAction: 'Send test event',
  testFailed: 'The test event was not sent',

  replayFailed: 'Replay failed…',
  replayTitle: 'Replay all failed events?',
  replayLead: 'They are sent once more, the oldest first. New events are sent in between.',
  replaySince: 'Failed events since',
  replayHint: 'In your time zone.',
  replayAction: 'Replay',
  replayProblem: 'Not all failed events could be replayed',
  replayProblemMeaning: 'Those before are sent. Replay again to go on with the others.',
  replayed: (count: number) => {
    if (count === 0) return 'There are no failed events since then.';
    return `${countedOf(count, 'event')} ${count === 1 ? 'is' : 'are'} sent once more.`;
  },
  done: 'Done',

  verify: 'Verify the signature of a request',
  verifyLead: 'Call verify with the signing secret, the headers and the raw body, before you parse it.',
  secret: 'Signing secret',
  secretFailed: 'The signing secret could not be read',
  hidden: 'whsec_••••••••',
  show: 'Show',
  hide: 'Hide',
  theSecret: 'the signing secret',

  log: 'Events',
  logFailed: 'The log could not be read',
  logEmptyTitle: 'No events yet',
  logEmptyLead: 'Events of the selected types appear here. Send a test event, or an email, to see one.',
  attempts: (count: number) => countedOf(count, 'attempt'),
  several: 'several recipients',

  eventFailed: 'The event could not be read',
  replay: 'Replay',
  replaying: 'It is sent once more. The answer appears below within 15 seconds.',
  wasReplayed: 'It was sent once more.',
  replayEventFailed: 'The event could not be sent again',
  replayEventMeaning: 'Earlier attempts and the schedule are unchanged.',
  facts: {
    state: 'State',
    recipient: 'Recipient',
    email: 'Email',
    happened: 'Happened',
    next: 'Next attempt',
    id: 'Id',
  },
  viewEmail: 'View email',
  theId: 'the id',
  payload: 'Payload',
} as const;
