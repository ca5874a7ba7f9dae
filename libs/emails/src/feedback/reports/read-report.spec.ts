import fc from 'fast-check';
import { LINEAR } from '../../shared/work/growth.spec-tools.js';
import { readReport } from './read-report.js';

const TOKEN = 'ag5gzl7kwzenhmrhv4oc6x2u7eaaapoc3s6y4w4ow5uvcda';

const mail = (lines: readonly string[]) => Buffer.from(lines.join('\r\n'), 'latin1');
const read = (...lines: string[]) => readReport(mail(lines));

/** A notification in the form of RFC 3464, appendix D.1. */
const dsn = (fields: string[], { declared = 'RAA14128', text = 'It failed.', more = [''] } = {}) => [
  'From: Mail Delivery Subsystem <MAILER-DAEMON@cs.example>',
  `To: <b+${TOKEN.toUpperCase()}@bounces.test>`,
  'Subject: Returned mail',
  'Auto-Submitted: auto-replied',
  `Content-Type: multipart/report; report-type=delivery-status; boundary="${declared}"`,
  '',
  '--RAA14128',
  'Content-Type: text/plain',
  '',
  text,
  '',
  '--RAA14128',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; cs.example',
  '',
  ...fields,
  '',
  '--RAA14128',
  'Content-Type: message/rfc822',
  '',
  'Message-ID: <one@from.test>',
  'To: someone@else.test',
  'Content-Type: text/plain',
  ...more,
  '',
  '550 5.1.1 words of the returned message',
  '--RAA14128--',
  '',
];
const FAILED = [
  'Original-Recipient: rfc822;louisl@larry.example',
  'Final-Recipient: rfc822;louisl@larry.example',
  'Action: failed',
  'Status: 4.0.0',
  'Diagnostic-Code: smtp; 426 connection timed out',
  'Last-Attempt-Date: Thu, 7 Jul 1994 17:15:49 -0400',
];
const reference = { token: TOKEN, messageId: 'one@from.test' };

describe('readReport of a delivery status notification', () => {
  it('reads the recipient, what happened, and what leads to our email', async () => {
    expect(await read(...dsn(FAILED))).toEqual([
      {
        kind: 'bounced',
        recipient: 'louisl@larry.example',
        status: '4.0.0',
        reply: '426 connection timed out',
        bounce: { type: 'Transient', subType: 'General' },
        reasonCode: 'route_failed',
        ...reference,
      },
    ]);
  });

  it.each([
    ['failed', 'bounced'],
    ['Failed (permanently)', 'bounced'],
    ['delayed', 'deferred'],
    ['delivered', 'delivered'],
    ['expanded', 'delivered'],
    ['relayed', 'noted'],
    ['toString', 'deferred'],
  ])('with the action %s means %s', async (action, kind) => {
    const [report] = await read(...dsn(FAILED.with(2, `Action: ${action}`)));
    expect(report?.kind).toBe(kind);
  });

  it.each([
    ['rfc822; <joe@to.test>', 'joe@to.test'],
    ['RFC822;joe@to.test (Joe)', 'joe@to.test'],
    ['joe@to.test', 'joe@to.test'],
    ['rfc822; joe+2Btag@to.test', 'joe+tag@to.test'],
    ['rfc822; joe+20@to.test', 'joe+20@to.test'],
    ['utf-8; j\\x{F6}e@to.test', 'jöe@to.test'],
    ['unknown; nair_s', undefined],
    ['utf-8; \\x{FFFFFF}', undefined],
    ['', undefined],
  ])('with the recipient %j names %j', async (field, recipient) => {
    const [report] = await read(...dsn([`Final-Recipient: ${field}`, 'Action: failed', 'Status: 5.1.1']));
    expect(report?.recipient).toBe(recipient);
    expect(report?.reasonCode).toBe('address_unknown');
  });

  it('reads the original recipient, and each of several recipients, with and without empty lines between', async () => {
    const one = (name: string) => [
      `Original-Recipient: rfc822; ${name}@our.test`,
      `Final-Recipient: rfc822; ${name}@to.test`,
    ];
    const reports = await read(
      ...dsn([...one('a'), 'Action: failed', ...one('b'), 'Action: delayed', '', ...one('c')]),
    );
    expect(reports).toMatchObject([
      { kind: 'bounced', recipient: 'a@to.test', originalRecipient: 'a@our.test' },
      { kind: 'deferred', recipient: 'b@to.test', originalRecipient: 'b@our.test' },
      { kind: 'bounced', recipient: 'c@to.test', originalRecipient: 'c@our.test' },
    ]);
  });

  it('reads the stage in the words of Postfix', async () => {
    const said = 'smtp; 550 5.1.1 unknown user (in reply to MAIL FROM command)';
    const [report] = await read(...dsn(FAILED.with(4, `Diagnostic-Code: ${said}`).with(3, 'Status: 5.1.1')));
    expect(report).toMatchObject({ stage: 'mail', reasonCode: 'policy_rejected' });
  });

  it.each([
    ['refused at the end, as some refuse by a filter', '554 5.0.0 Service unavailable', 'route_failed'],
    ['refused before, with pipelining', '<<< 503 5.0.0 Need RCPT (recipient)', 'address_unknown'],
  ])('reads the stage in the dialogue of sendmail: %s', async (_, last, reasonCode) => {
    const text = ['... while talking to mx.to.test.:', '>>> DATA', '<<< 550 Unknown user louisl', last].join('\r\n');
    const fields = FAILED.with(3, 'Status: 5.2.0').with(4, 'Diagnostic-Code: SMTP; 550 Unknown user louisl');
    expect(await read(...dsn(fields, { text }))).toMatchObject([{ reasonCode }]);
  });

  it('takes a reply for bad order for no word about the address, wherever the report has it', async () => {
    const said = '503 5.5.1 There are no valid recipients';
    const fields = FAILED.with(3, 'Status: 5.5.1');
    const texts = [
      dsn(fields.with(4, `Diagnostic-Code: smtp; ${said}`)),
      dsn(fields.toSpliced(4, 1), { text: `This address failed:\r\n\r\nlouisl@larry.example\r\n    ${said}` }),
    ];
    for (const lines of texts) {
      expect(await read(...lines)).toMatchObject([{ kind: 'bounced', reasonCode: 'route_failed' }]);
    }
  });

  it('reads folded fields, and those in a part that is encoded', async () => {
    const encoded = Buffer.from([...FAILED, ''].join('\r\n')).toString('base64');
    const lines = dsn([encoded]).filter((line) => !line.startsWith('Reporting-MTA'));
    lines.splice(lines.indexOf('Content-Type: message/delivery-status') + 1, 0, 'Content-Transfer-Encoding: base64');
    expect(await read(...lines)).toMatchObject([{ recipient: 'louisl@larry.example', ...reference }]);
    const folded = FAILED.with(4, 'Diagnostic-Code: smtp; 550 5.1.1\r\n\tno such\r\n user');
    expect(await read(...dsn(folded))).toMatchObject([{ reply: '550 5.1.1 no such user' }]);
  });

  it('reads lines that end in returns alone', async () => {
    const bytes = Buffer.from(dsn(FAILED).join('\r'), 'latin1');
    expect(await readReport(bytes)).toEqual(await read(...dsn(FAILED)));
  });

  it('is recovered where the boundary is not the declared one, or parts are nested without one', async () => {
    const whole = await read(...dsn(FAILED));
    expect(await read(...dsn(FAILED, { declared: 'another' }))).toEqual(whole);
    const nested = [
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed',
      '',
      '--x',
      'Content-Type: text/plain',
      '',
      '550 5.1.1 no',
    ];
    expect(await read(...dsn(FAILED, { declared: 'another', more: nested }))).toEqual(whole);
  });

  it('reads fields that stand in the text', async () => {
    const text = ['From: postmaster@to.test', '', 'It failed.', '', ...FAILED.slice(1)];
    expect(await read(...text)).toMatchObject([{ kind: 'bounced', recipient: 'louisl@larry.example' }]);
  });

  it('reads a status in the notice where the fields say nothing', async () => {
    const fields = [
      'Final-Recipient: rfc822; a@to.test',
      'Action: failed',
      'Status: 5.0.0 (unknown permanent failure)',
    ];
    expect(await read(...dsn(fields, { text: '552 mailbox is full' }))).toMatchObject([
      { status: '5.0.0', reasonCode: 'mailbox_full' },
    ]);
  });

  it('keeps 200 of 10,000 recipients', async () => {
    const fields = Array.from({ length: 10_000 }, (_, n) => `Final-Recipient: rfc822; a${n}@to.test`);
    const reports = await read(...dsn(fields));
    expect(reports).toHaveLength(200);
    expect(reports[199]?.recipient).toBe('a199@to.test');
  });
});

describe('readReport of a feedback report', () => {
  /** The form of RFC 5965, appendix B.2. */
  const arf = (...fields: string[]) => [
    'From: <abusedesk@example.com>',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="part1"',
    '',
    '--part1',
    'Content-Type: text/plain; charset="US-ASCII"',
    '',
    'This is an email abuse report.',
    '--part1',
    'Content-Type: message/feedback-report',
    '',
    ...fields,
    '',
    '--part1',
    'Content-Type: text/rfc822-headers',
    '',
    `X-Email-Ref: ${TOKEN}`,
    'To: <Undisclosed Recipients>',
    'Message-ID: <8787KJKJ3K4J3K4J3K4J3.mail@example.net>',
    '',
    '--part1--',
  ];
  const found = { token: TOKEN, messageId: '8787KJKJ3K4J3K4J3K4J3.mail@example.net' };

  it.each([
    ['abuse', 'complained'],
    ['fraud', 'complained'],
    ['virus', 'complained'],
    ['other', 'complained'],
    ['something-new', 'complained'],
    ['toString', 'complained'],
    ['not-spam', 'noted'],
    ['auth-failure', 'noted'],
    ['opt-out', 'opt_out'],
  ])('of the type %s means %s', async (type, kind) => {
    expect(await read(...arf(`Feedback-Type: ${type}`, 'User-Agent: SomeGenerator/1.0', 'Version: 1'))).toEqual([
      { kind, ...found },
    ]);
  });

  it('reads each recipient once', async () => {
    const fields = ['a', 'b', 'a'].map((name) => `Original-Rcpt-To: <${name}@to.test>`);
    expect(await read(...arf('Feedback-Type: abuse', ...fields))).toEqual([
      { kind: 'complained', recipient: 'a@to.test', ...found },
      { kind: 'complained', recipient: 'b@to.test', ...found },
    ]);
  });

  it('finds the token in the return path', async () => {
    const other = `Original-Mail-From: <b+${TOKEN}@bounces.test>`;
    const lines = arf('Feedback-Type: abuse', other).filter((line) => !line.startsWith('X-Email-Ref'));
    expect(await read(...lines)).toEqual([{ kind: 'complained', ...found }]);
  });
});

describe('readReport of an automatic answer', () => {
  it.each([
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated; owner-email="joe@to.test"',
    'X-Auto-Response-Suppress: All',
    'Precedence: auto_reply',
    'X-Autoreply: yes',
  ])('knows it by %s', async (field) => {
    expect(await read('From: joe@to.test', 'Subject: Away', field, '', 'I am away.')).toEqual([{ kind: 'auto_reply' }]);
  });

  it('knows nothing of mail by people', async () => {
    expect(await read('From: joe@to.test', 'Auto-Submitted: no', '', 'Hello.')).toEqual([]);
    expect(await read('From: joe@to.test', '', 'Hello.')).toEqual([]);
  });
});

describe('readReport of a bounce in prose', () => {
  const NOTICE = [
    'From: Mail Delivery System <Mailer-Daemon@mx.test>',
    'To: me@from.test',
    'Subject: Mail delivery failed',
  ];

  it.each([
    ['bob@to.test', 0],
    ['', 1],
    ['MAILER-DAEMON@mx.test', 1],
  ])('takes words from <%s> for a bounce of %i recipients', async (reversePath, count) => {
    const lines = ['From: Bob <bob@to.test>', 'Subject: Mail delivery problem', '', 'a@to.test: user unknown here'];
    const reports = await read(`x-envelope-from: <${reversePath}>`, ...lines);
    expect(reports.filter(({ kind }) => kind === 'bounced')).toHaveLength(count);
  });

  it('reads each recipient by its own paragraph, and nothing of the returned message', async () => {
    const exim = [
      ...NOTICE,
      '',
      'The following address(es) failed:',
      '',
      '  a@to.test',
      '    SMTP error from remote mail server after RCPT TO:<a@to.test>:',
      '    host mx.to.test [192.0.2.1]: 550 5.1.1 User unknown',
      '  b@to.test',
      '    SMTP error from remote mail server after end of data:',
      '    host mx.to.test [192.0.2.1]: 552 5.2.2 over quota',
      '',
      '------ This is a copy of the message, including all the headers. ------',
      '',
      `X-Email-Ref: ${TOKEN}`,
      'Message-ID: <one@from.test>',
      'To: c@to.test',
      '',
      '550 5.1.1 no',
    ];
    expect(await read(...exim)).toMatchObject([
      { kind: 'bounced', recipient: 'a@to.test', stage: 'rcpt', reasonCode: 'address_unknown', ...reference },
      { kind: 'bounced', recipient: 'b@to.test', stage: 'dot', reasonCode: 'mailbox_full', ...reference },
    ]);
  });

  it('suppresses nothing where the words may be about another recipient', async () => {
    const failed = ['X-Failed-Recipients: a@to.test, b@to.test', '', 'Somebody is an unknown user.'];
    const reports = await read(...NOTICE, ...failed);
    expect(reports.map(({ reasonCode }) => reasonCode)).toEqual(['unrecognised_reply', 'unrecognised_reply']);
  });

  it('reads one recipient that only a header or the returned message names', async () => {
    expect(await read(...NOTICE, 'X-Failed-Recipients: a@to.test', '', '550 5.1.1 User unknown')).toMatchObject([
      { recipient: 'a@to.test', reasonCode: 'address_unknown' },
    ]);
    const quoted = ['', 'User unknown', '', '--- Original message follows ---', '', 'To: <a@to.test>', 'Subject: x'];
    expect(await read(...NOTICE, ...quoted)).toMatchObject([{ recipient: 'a@to.test', reasonCode: 'address_unknown' }]);
  });

  it('names no recipient where there is none', async () => {
    expect(await read(...NOTICE, '', 'It failed.')).toEqual([
      {
        kind: 'bounced',
        bounce: { type: 'Undetermined', subType: 'Undetermined' },
        reasonCode: 'unrecognised_reply',
      },
    ]);
  });

  it('reads that a server still tries', async () => {
    const delay = [
      'Subject: Warning: message delayed 24 hours',
      '',
      '  a@to.test',
      '',
      'No action is required on your part.',
    ];
    expect(await read('From: MAILER-DAEMON@mx.test', ...delay)).toMatchObject([
      { kind: 'deferred', recipient: 'a@to.test' },
    ]);
  });

  it('reads a refusal under a subject that only warns', async () => {
    const head = ['From: MAILER-DAEMON@mx.test', 'Subject: Warning: could not send message for past 4 hours', ''];
    expect(await read(...head, 'a@to.test: 421 try later')).toMatchObject([{ kind: 'deferred' }]);
    expect(await read(...head, 'a@to.test: 550 5.1.1 no such user')).toMatchObject([{ kind: 'bounced' }]);
  });

  it('knows an out-of-office reply by its subject', async () => {
    expect(await read('From: joe@to.test', 'Subject: Out of Office: hello', '', 'See 550 others.')).toEqual([
      { kind: 'auto_reply' },
    ]);
  });
});

describe('readReport of other forms', () => {
  it('reads a complaint at Outlook.com, which is no feedback report', async () => {
    const lines = [
      'From: staff@hotmail.test',
      'Subject: complaint about message from 192.0.2.1',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'X-HmXmrOriginalRecipient: joe@to.test',
      `X-Email-Ref: ${TOKEN}`,
      'To: other@to.test',
      '',
      'no',
      '--b--',
    ];
    expect(await read(...lines)).toEqual([{ kind: 'complained', recipient: 'joe@to.test', token: TOKEN }]);
    const withoutField = lines.filter((line) => !line.startsWith('X-HmXmr'));
    expect(await read(...withoutField)).toMatchObject([{ kind: 'complained', recipient: 'other@to.test' }]);
  });

  const disposition = (subject: string, mode: string) => [
    'From: Mail Delivery Subsystem <postmaster@to.test>',
    `Subject: ${subject}`,
    'Auto-Submitted: auto-replied (rejected)',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
    '',
    '--b',
    '',
    'Your message to <joe@to.test> was automatically rejected:',
    'Quota exceeded',
    '--b',
    'Content-Type: message/disposition-notification',
    '',
    'Final-Recipient: rfc822; joe@to.test',
    `Disposition: ${mode}`,
    '--b--',
  ];

  it('reads a refusal in the form of a disposition notification', async () => {
    expect(
      await read(...disposition('Automatically rejected mail', 'automatic-action/MDN-sent-automatically; deleted')),
    ).toMatchObject([{ kind: 'bounced', recipient: 'joe@to.test', reasonCode: 'mailbox_full' }]);
  });

  it('notes a receipt', async () => {
    expect(await read(...disposition('Read: hello', 'manual-action/MDN-sent-manually; displayed'))).toEqual([
      { kind: 'noted', recipient: 'joe@to.test' },
    ]);
  });

  it('reads that Apple Mail unsubscribed', async () => {
    const fields = [
      'From: joe@to.test',
      'Subject: unsubscribe',
      'Auto-Submitted: auto-replied',
      'X-Apple-Unsubscribe: true',
    ];
    expect(await read(...fields, '', 'Apple Mail sent this.')).toEqual([{ kind: 'opt_out', recipient: 'joe@to.test' }]);
  });

  it('reads a report within another message', async () => {
    const wrapped = ['Content-Type: multipart/mixed; boundary=w', '', '--w', 'Content-Type: message/rfc822', ''];
    const lines = [...wrapped, ...dsn(FAILED), '--w--'];
    expect(await read(...lines)).toMatchObject([{ kind: 'bounced', recipient: 'louisl@larry.example', ...reference }]);
  });

  it('reads a notice in HTML', async () => {
    const head = ['From: MAILER-DAEMON@mx.test', 'Subject: failure notice', 'Content-Type: text/html', ''];
    expect(await read(...head, '<p>It failed:<br>joe@to.test<br>No such user<br></p>')).toMatchObject([
      { kind: 'bounced', recipient: 'joe@to.test', reasonCode: 'address_unknown' },
    ]);
  });

  it('reads encoded words', async () => {
    const encode = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
    const head = [
      `From: ${encode('Почтовая система')} <robot@to.test>`,
      `Subject: ${encode('Недоставленное сообщение')}`,
    ];
    expect(await read(...head, '', 'joe@to.test: No such user')).toMatchObject([
      { kind: 'bounced', recipient: 'joe@to.test', reasonCode: 'address_unknown' },
    ]);
    const away = ['From: joe@to.test', `Subject: ${encode('Automatische Antwort: Unzustellbar')}`];
    expect(await read(...away, '', 'User unknown')).toEqual([{ kind: 'auto_reply' }]);
  });

  it('takes what people and deliveries say for no failure', async () => {
    expect(
      await read('From: joe@to.test', 'Subject: Re: Undeliverable: hello', '', 'joe@to.test does not exist?'),
    ).toEqual([]);
    const done = 'Your message was successfully delivered to joe@to.test.';
    expect(await read('From: MAILER-DAEMON@mx.test', 'Subject: Delivery report', '', done)).toEqual([
      { kind: 'noted' },
    ]);
  });

  it('takes a failure for no answer, though programs mark it as one', async () => {
    const mark = ['From: Mail Delivery System <Mailer-Daemon@mx.test>', 'Auto-Submitted: auto-replied'];
    expect(await read(...mark, 'Subject: Mail delivery failed', '', '  joe@to.test', '    User unknown')).toMatchObject(
      [{ kind: 'bounced', recipient: 'joe@to.test', reasonCode: 'address_unknown' }],
    );
  });

  it('takes no words of the returned message for a reason', async () => {
    const head = ['From: postmaster@mx.test', 'Subject: Undeliverable: Your account is disabled'];
    const quoted = ['Your message', '', '  To: joe@to.test', '  Subject: Your account is disabled', '  Sent: today'];
    const rest = ['', 'did not reach the following recipient(s):', '', 'joe@to.test on Fri'];
    expect(await read(...head, '', ...quoted, ...rest)).toMatchObject([
      { recipient: 'joe@to.test', reasonCode: 'unrecognised_reply' },
    ]);
    const returned = ['', '--- Original message follows ---', '', 'Subject: Mailbox does not exist', '', 'no'];
    expect(await read(...head, '', 'joe@to.test: Mailbox does not exist failed', ...returned)).toMatchObject([
      { recipient: 'joe@to.test', reasonCode: 'unrecognised_reply' },
    ]);
  });

  it.each([
    ['k@to.test<mailto:k@to.test>', '#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##', 'address_unknown'],
    ['Unknown host: k@to.test', '', 'domain_not_found'],
    ['Unable to deliver message to: <k@to.test>', '550 No such user. No further delivery attempts', 'address_unknown'],
    ['>>> k@to.test <k@to.test>', '550 sorry, no mailbox here by that name (#5.1.1)', 'address_unknown'],
    ['  * k@to.test', 'SMTP:RCPT host 192.0.2.8: 553 5.3.0 <k@to.test>... No such user here', 'address_unknown'],
    ['Could not be delivered to: <k@to.test>', 'As their mailbox is full.', 'mailbox_full'],
    ['[Status: Error, Address: <k@to.test>, ResponseCode 421, , Host not reachable.]', '', 'route_failed'],
  ])('reads %s and %s', async (recipient, words, reasonCode) => {
    const head = ['From: postmaster@mx.test', 'Subject: Undeliverable mail', ''];
    expect(await read(...head, recipient, words, '')).toMatchObject([{ recipient: 'k@to.test', reasonCode }]);
  });

  it('gives several recipients the reason they share, unless it would condemn them', async () => {
    const several = (reason: string) =>
      read('From: MAILER-DAEMON@mx.test', '', reason, '', '  a@to.test', '', '  b@to.test', '');
    expect(await several('The destination was not reachable.')).toMatchObject([
      { recipient: 'a@to.test', reasonCode: 'route_failed' },
      { recipient: 'b@to.test', reasonCode: 'route_failed' },
    ]);
    expect(await several('Somebody is an unknown user.')).toMatchObject([
      { recipient: 'a@to.test', reasonCode: 'unrecognised_reply' },
      { recipient: 'b@to.test', reasonCode: 'unrecognised_reply' },
    ]);
  });
});

describe('readReport of anything', () => {
  const HOSTILE: Record<string, (size: number) => string[]> = {
    'header fields': (size) => [...Array.from({ length: size / 16 }, (_, n) => `X-Field-${n}: value`), '', 'no'],
    'one header field': (size) => [`X-Field: ${'a '.repeat(size / 2)}`, '', 'no'],
    'folded header fields': (size) => ['X-Field: a', ...Array<string>(size / 4).fill(' \t'), '', 'no'],
    recipients: (size) => dsn(Array.from({ length: size / 32 }, (_, n) => `Final-Recipient: rfc822; a${n}@b.test`)),
    'recipients without an address': (size) =>
      dsn(Array<string>(size / 32).fill(`Final-Recipient: rfc822; ${' ('.repeat(10)}`)),
    parts: (size) => dsn(Array.from({ length: size / 48 }, () => '--RAA14128\r\nContent-Type: text/plain\r\n')),
    'parts without a boundary': (size) =>
      dsn(
        Array.from({ length: size / 48 }, (_, n) => `--${n}\r\nContent-Type: text/plain\r\n`),
        { declared: 'x' },
      ),
    dashes: (size) => dsn(['-'.repeat(size)], { declared: 'x' }),
    words: (size) => dsn(FAILED, { text: 'user unknown '.repeat(size / 13) }),
    blanks: (size) => dsn(FAILED.with(4, `Diagnostic-Code: smtp; ${' '.repeat(size)}x`), { text: ' '.repeat(size) }),
    'lines of a diagnostic': (size) =>
      dsn([...FAILED.slice(0, 4), 'Diagnostic-Code: smtp;', ...Array<string>(size / 16).fill('  550 5.0.0 mailbox')]),
    html: (size) => ['Content-Type: text/html', '', '<a <b>'.repeat(size / 6)],
    'recipients in prose': (size) => [
      'From: MAILER-DAEMON@b.test',
      '',
      ...Array.from({ length: size / 24 }, (_, n) => `a${n}@to.test: unknown`),
    ],
    'separators in prose': (size) => ['From: MAILER-DAEMON@b.test', '', ...Array<string>(size / 8).fill('-- ----')],
    'long lines in prose': (size) => [
      'From: MAILER-DAEMON@b.test',
      '',
      `${'a'.repeat(size / 2)}@`,
      `${'mailbox '.repeat(size / 16)}`,
    ],
    'addresses in prose': (size) => ['From: MAILER-DAEMON@b.test', '', 'to a.b@'.repeat(size / 7)],
    'fields in text': (size) => ['From: a@b.test', '', ...Array<string>(size / 20).fill('Final-Recipient: a@b')],
  };

  const costOfReading = async (bytes: Buffer) => {
    let best = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < 3; turn++) {
      const before = process.cpuUsage();
      await readReport(bytes);
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, user + system);
    }
    return best;
  };

  it.each([
    ['empty lines', '\n'],
    ['lines', 'a\r\n'],
    ['fields', 'A: b\n'],
    ['parts', '--RAA14128\n\n'],
    ['parts without a boundary', '--x\nA: b\n'],
  ])('takes no more time for 1 MB of short %s than a few times that of long lines', async (_, line) => {
    const of = (piece: string) => mail(dsn(FAILED, { text: piece.repeat(1_048_576 / piece.length) }));
    const long = await costOfReading(of(`${'a'.repeat(74)}\r\n`));
    expect((await costOfReading(of(line))) / long).toBeLessThan(8);
  });

  it.each(Object.keys(HOSTILE))('takes time in proportion to its size: %s', async (name) => {
    const of = HOSTILE[name] as (size: number) => string[];
    const [small, large] = [mail(of(32_000)), mail(of(512_000))];
    const [less, more] = [await costOfReading(small), await costOfReading(large)];
    expect(more / Math.max(less, 1_000)).toBeLessThan(LINEAR);
    expect(more).toBeLessThan(5_000_000);
  });

  it('reads 2,000 lines', async () => {
    const notice = (lines: number) => dsn(FAILED, { text: 'a\r\n'.repeat(lines) });
    expect(await read(...notice(1_900))).toMatchObject([{ recipient: 'louisl@larry.example' }]);
    expect((await read(...notice(2_000)))[0]?.recipient).toBeUndefined();
  });

  it('reads 64 kB of header fields, in which lists of addresses take long', async () => {
    const away = (size: number) => read('Subject: Out of Office', `To: ${'a:b;'.repeat(size / 4)}`, '', 'I am away.');
    expect(await away(8_000)).toEqual([{ kind: 'auto_reply' }]);
    expect(await away(72_000)).toEqual([]);
  });

  it('reads 79 parts of a broken structure', async () => {
    const parts = (count: number) => [
      'From: MAILER-DAEMON@b.test',
      'Content-Type: multipart/report; boundary=x',
      '',
      ...Array<string[]>(count).fill(['--y', 'Content-Type: text/plain', '', 'a']).flat(),
      ...['--y', 'Content-Type: message/delivery-status', '', ...FAILED],
    ];
    expect(await read(...parts(78))).toMatchObject([{ recipient: 'louisl@larry.example' }]);
    expect(await read(...parts(79))).toMatchObject([{ kind: 'bounced' }]);
    expect((await read(...parts(79)))[0]?.recipient).toBeUndefined();
  });

  it('judges the words about all recipients for up to 50 of them', async () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, n) => `Final-Recipient: rfc822; a${n}@to.test\r\nAction: failed`);
    const codes = async (count: number) => {
      const reports = await read(...dsn(fields(count), { text: 'The message was rejected as spam.' }));
      return new Set(reports.map(({ reasonCode }) => reasonCode));
    };
    expect(await codes(50)).toEqual(new Set(['content_rejected']));
    expect(await codes(51)).toEqual(new Set(['unrecognised_reply']));
  });

  it('ends for parts nested more than 50 levels deep', async () => {
    const nest = (levels: number): string[] =>
      levels === 0
        ? dsn(FAILED)
        : [
            `Content-Type: multipart/mixed; boundary="b${levels}"`,
            '',
            `--b${levels}`,
            ...nest(levels - 1),
            `--b${levels}--`,
          ];
    expect(await read(...nest(10))).toMatchObject([{ recipient: 'louisl@larry.example' }]);
    expect(await read(...nest(60))).toMatchObject([{ recipient: 'louisl@larry.example' }]);
    expect(await read(...nest(1_000))).toEqual([]);
  });

  it('decompresses nothing', async () => {
    const lines = [
      'Content-Type: application/zip',
      'Content-Encoding: gzip',
      'Content-Transfer-Encoding: base64',
      '',
      'H4sI',
    ];
    expect(await read('Content-Type: multipart/mixed; boundary=b', '', '--b', ...lines, '--b--')).toEqual([]);
  });

  it('never rejects', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
        expect(Array.isArray(await readReport(bytes))).toBe(true);
      }),
    );
    const piece = fc.oneof(
      fc.constantFrom(
        ...dsn(FAILED),
        '--',
        '\0',
        '=?utf-8?q?=ff?=',
        'Content-Type: text/plain; charset=unknown',
        '\x80\xff',
        '',
      ),
      fc.string({ maxLength: 50 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (lines) => {
        for (const report of await read(...lines)) {
          expect(report.reply?.includes('\0') ?? false).toBe(false);
          expect(report.recipient === undefined || /^[^\0\n]+@[^\0\n]+$/.test(report.recipient)).toBe(true);
        }
      }),
    );
  });
});
