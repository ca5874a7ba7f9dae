import type { Threat } from '../guard.js';

const TOKENS = 'return-path-tokens.spec.ts';
const MAILGUN = 'mailgun.relay.spec.ts';
const SES = 'ses.relay.spec.ts';
const TRUST = 'feedback-trust.spec.ts';
const THREAD = 'work-thread.spec.ts';
const READ = 'read-report.spec.ts';

export const reports: Threat = {
  title: 'Forged bounces and complaints, which would suppress addresses',
  guards: [
    {
      guard: 'a token of a return path that is changed',
      suite: TOKENS,
      test: 'cannot be changed in any place',
      edits: [
        [
          'return-path-tokens.ts',
          'if (timingSafeEqual(signatureOf(body, this.today - age, key), signature)) return true;',
          'if (signatureOf(body, this.today - age, key).length === signature.length) return true;',
        ],
      ],
    },
    {
      guard: 'a token of a return path after 45 days',
      suite: TOKENS,
      test: 'end after 45 days, whatever the age of the email',
      edits: [['return-path-tokens.ts', 'age <= LIFETIME', 'age <= 10 * LIFETIME']],
    },
    {
      guard: 'the holder of a token, about another recipient',
      suite: 'incoming-reports.service.spec.ts',
      test: 'takes the recipient of a token, whatever address the report names',
      edits: [
        ['incoming-reports.service.ts', 'if (token?.recipient !== undefined) {', 'if (token?.recipient === null) {'],
      ],
    },
    {
      guard: 'a suppression by a token that several recipients know',
      suite: 'incoming-reports.service.spec.ts',
      test: 'does not confirm a bounce by a token that several recipients share',
      edits: [['incoming-reports.service.ts', "code: isShared && kind === 'bounced' ?", 'code: kind === undefined ?']],
    },
    {
      guard: 'a forged bounce that hides the real one',
      suite: 'reported-recipient.spec.ts',
      test: 'does not hide the real one, which is recorded next to it, once',
      edits: [['reported-recipient.ts', "kind === 'bounced' && code !== UNCONFIRMED && isHidden", 'false']],
    },
    {
      guard: 'a recipient that ends the attempts at another',
      suite: 'reported-recipient.spec.ts',
      test: 'moves a recipient that was sent to, and none that is pending',
      edits: [['reported-recipient.ts', '(attempts === 0 || sent.code === UNCONFIRMED)', 'attempts === 0']],
    },
    {
      guard: 'a suppression by a bounce that is not about the address',
      suite: 'suppresses.spec.ts',
      test: 'adds nothing for %s',
      edits: [['suppresses.ts', "return isAboutAddress(reasonCode) ? 'bounce' : undefined;", "return 'bounce';"]],
    },
    {
      guard: "a provider's bad hour by bounces of other mailboxes in its words",
      suite: 'count-refusals.spec.ts',
      test: 'counts later reports of a relay, and by mail those about mailboxes of the operator',
      edits: [['count-refusals.ts', 'if (!isProven && operatorOfMailbox(recipient) !== operator) return [];', '']],
    },
    {
      guard: "a provider's bad hour by bounces of many addresses of one mailbox",
      suite: 'mailbox-hash.spec.ts',
      test: 'is that of the mailbox: %s is %s',
      edits: [['mailbox-hash.ts', String.raw`.replace(/(?<=.)\+.*$/s, '')`, '']],
    },
    {
      guard: "a provider's bad hour by many bounces of one mailbox",
      suite: 'bad-hour.e2e-spec.ts',
      test: 'does not begin with further addresses of one mailbox, which counts once in ten minutes',
      edits: [['operators.sql.ts', 'FROM rows WHERE mailbox IS NULL', 'FROM rows WHERE true']],
    },
    {
      guard: "a provider's bad hour by the bad lists of accounts that work together",
      suite: 'bad-hours.spec.ts',
      test: 'begins none that one or few accounts alone make, and suspects none',
      edits: [['bad-hours/bad-hours.ts', 'parts.some((part)', 'parts.slice(0, 1).some((part)']],
    },
    {
      guard: "a provider's bad hour by the bad list of one account",
      suite: 'judge-hour.spec.ts',
      test: 'is a bad rate that the others do not have, from 50 of their recipients on',
      edits: [['judge-hour.ts', 'rest[basis] >= LEAST_OTHERS && (rate === 0 || rate < limit)', 'false']],
    },
    {
      guard: 'a relay that refuses one account: a pause of the mail of others',
      suite: 'sender-pauses.spec.ts',
      test: 'pauses the mail of the account that met a limit, however often and for whatever wait',
      edits: [['sender-pauses.ts', 'if (isSecond) this.ofAll.begin();', 'this.ofAll.begin();']],
    },
    {
      guard: 'a relay that refuses two accounts again and again: a pause of the mail of others',
      suite: 'sender-pauses.spec.ts',
      test: 'pauses no mail of others again by the same accounts, however long theirs is refused',
      edits: [['sender-pauses.ts', ' && !isKnown', '']],
    },
    {
      guard: 'a relay that quotes a message: its words slow the mail of others',
      suite: 'overload-reply.spec.ts',
      test: 'does not find it in words of the message: %s',
      edits: [['overload-reply.ts', 'return WORDS.test(withoutWords(quotable(), words));', 'return true;']],
    },
    {
      guard: 'a relay that quotes an email: words of one email that stop the mail of others',
      suite: 'sender-limits.spec.ts',
      test: 'is none in words of the email: %s',
      edits: [['sender-limits.ts', 'text: withoutWords(words, text)', 'text']],
    },
    {
      guard: 'a relay that quotes an email: the subject of a stranger that delays other mail of the account',
      suite: 'delivery.service.spec.ts',
      test: 'is none where a relay quotes it from the email: that one bounces, and others of its account are sent',
      edits: [['delivery-run.ts', 'withoutQuotedLimits(this.email, reported)', 'reported']],
    },
    {
      guard: 'a pause of all mail by one recipient in the words of a limit',
      suite: 'sender-pause.spec.ts',
      test: 'does not begin for one domain, however often, nor for names below it',
      edits: [['sender-pause.ts', '({ reply }) => !isOfRecipient(reply)', '() => true']],
    },
    {
      guard: 'mail to another address at the listener',
      suite: 'feedback-listener.spec.ts',
      test: 'refuses mail to %s',
      edits: [
        [
          'feedback-listener.ts',
          "if (!this.acceptedAs(address)) throw new SmtpRefusal(550, '5.1.1 No such address');",
          '',
        ],
      ],
    },
    {
      guard: 'a flood of messages at the listener',
      suite: 'feedback-listener.spec.ts',
      test: 'takes a hundred messages and refused recipients a minute from an address',
      edits: [['feedback-listener.ts', 'await this.messages.consume(network);', '']],
    },
    {
      guard: 'one address that holds all connections of the listener',
      suite: 'feedback-listener.spec.ts',
      test: 'has twenty connections, ten of one address',
      edits: [['peer-connections.ts', 'own >= (isKnown ? this.limits.ofPeer : this.limits.ofStranger)', 'own < 0']],
    },
    {
      guard: 'a slow peer that keeps a connection of the listener',
      suite: 'feedback-listener.spec.ts',
      test: 'ends a connection after ten minutes, however slowly its bytes come',
      edits: [['feedback-listener.ts', "this.end(id, '4.4.2 Connected for too long')", '{}']],
    },
    {
      guard: 'strangers that hold all connections of the listener',
      suite: 'feedback-listener.spec.ts',
      test: 'has three connections of an address that has sent to no accepted recipient',
      edits: [['peer-connections.ts', 'isKnown ? this.limits.ofPeer : this.limits.ofStranger', 'this.limits.ofPeer']],
    },
    {
      guard: 'an address that opens connections of the listener faster than they are refused',
      suite: 'feedback-listener.spec.ts',
      test: 'greets others while an address opens connections faster than they are refused',
      edits: [['feedback-listener.ts', 'maxClients: MAX_OPEN', 'maxClients: connections.max']],
    },
    {
      guard: 'two networks that hold all connections of the listener',
      suite: 'peer-connections.spec.ts',
      test: 'ends the oldest of the network that has most when all are in use',
      edits: [['peer-connections.ts', 'isFull ? this.idleOfLargest(own) : undefined', 'undefined']],
    },
    {
      guard: 'a slow stranger that keeps a connection of the listener',
      suite: 'feedback-listener.spec.ts',
      test: 'ends a connection without an accepted recipient after a minute',
      edits: [
        ['feedback-listener.ts', 'admission.isKnown ? connectionTime.max : strangerTime.max', 'connectionTime.max'],
      ],
    },
    {
      guard: 'a report of thousands of transactions by the token of one recipient',
      suite: 'report-intake.spec.ts',
      test: 'records one report of each kind with the token of one recipient',
      edits: [['report-intake.ts', 'isOfOne ? report.kind : ', '']],
    },
    {
      guard: 'a complaint that no named sender signed',
      suite: TRUST,
      test: 'refuses a report %s',
      edits: [['verify-signatures.ts', "status.result === 'pass' && !status.underSized", 'status.underSized !== 0.5']],
    },
    {
      guard: 'hashes and look-ups for signatures of strangers',
      suite: TRUST,
      test: 'spends nothing on signatures %s',
      edits: [['counting-signatures.ts', ' || !senders.includes(domain)) return', ') return']],
    },
    {
      guard: 'a hash of the body for each signature of a part',
      suite: TRUST,
      test: 'spends nothing on signatures %s',
      edits: [['counting-signatures.ts', "|| tags.has('l') ", '']],
    },
    {
      guard: 'a signature that reads otherwise to the verifier',
      suite: TRUST,
      test: 'spends nothing on signatures %s',
      edits: [['counting-signatures.ts', "if (key === '' || tags.has(key)) return undefined;", '']],
    },
    {
      guard: 'a signature that takes long to read',
      suite: TRUST,
      test: 'spends nothing on signatures %s',
      edits: [['counting-signatures.ts', 'if (field.length > MAX_SIGNATURE) return undefined;', '']],
    },
    {
      guard: 'many signatures of one report',
      suite: TRUST,
      test: 'verifies the first two signatures of named senders, without those of others',
      edits: [
        [
          'counting-signatures.ts',
          'keys.length < MAX_COUNTING ? keyOf(field, senders) : undefined',
          'keyOf(field, senders)',
        ],
      ],
    },
    {
      guard: 'a signed report of a million lines',
      suite: TRUST,
      test: 'does not verify a body of many lines, which would take gigabytes',
      edits: [['counting-signatures.ts', ' || linesFrom(message, end) > MAX_BODY_LINES', '']],
    },
    {
      guard: "a stranger's content that goes on for ever in a thread",
      suite: THREAD,
      test: 'ends a task that takes too long, and does the next one',
      edits: [['work-thread.ts', "this.fail(new ThreadLimitError('It took too long.'))", 'undefined']],
    },
    {
      guard: "a stranger's content that takes all memory",
      suite: THREAD,
      test: 'ends a task that takes too much memory, be it the first',
      edits: [
        ['work-thread.ts', "error.code === 'ERR_WORKER_OUT_OF_MEMORY' ?", "error.code === 'ERR_OUT_OF_MEMORY' ?"],
      ],
    },
    {
      guard: 'the first content of a thread that ends it, so that all later ones block the event loop',
      suite: THREAD,
      test: 'does no task in the event loop after the first one ended the thread or failed',
      edits: [
        [
          'work-thread.ts',
          'private fail(error: Error): void {\n',
          'private fail(error: Error): void {\n    this.missingUntil = this.now() + AGAIN;\n',
        ],
      ],
    },
    {
      guard: 'a thread that once could not be started, so that all later content blocks the event loop',
      suite: THREAD,
      test: 'tries a thread again a minute after it could not be started',
      edits: [['work-thread.ts', 'this.now() + AGAIN', 'Number.POSITIVE_INFINITY']],
    },
    {
      guard: 'a report that ends the thread by an error',
      suite: 'report-thread.spec.ts',
      test: 'fails for a task that cannot be done, without the event loop, and does the next one',
      edits: [['thread-program.ts', 'post({ error: String(error) })', 'process.exit(1)']],
    },
    {
      guard: "a stranger's words in the output of the process",
      suite: THREAD,
      test: 'keeps what the thread prints from the output of the process',
      edits: [['work-thread.ts', '      stdout: true,\n      stderr: true,\n', '']],
    },
    {
      guard: 'a report that ends the thread again and again',
      suite: 'report-intake.spec.ts',
      test: 'drops a message that cannot be read within its limits, with a warning, and no other',
      edits: [['report-intake.ts', 'if (!(error instanceof ThreadLimitError)) throw error;', 'throw error;']],
    },
    {
      guard: 'reports of one network that keep all others from being read',
      suite: 'network-turns.spec.ts',
      test: 'runs two tasks of a network at once, refuses a third, and delays no other network',
      edits: [['network-turns.ts', 'if (!(await turns.acquire(this.patience))) throw new ReportThreadBusy();', '']],
    },
    {
      guard: 'strangers that name slow certificates of Amazon SNS',
      suite: 'ses.relay.spec.ts',
      test: 'does not wait long while many certificates come slowly',
      edits: [
        [
          'sns-certificates.ts',
          'return inTime(this.inTurn(url), this.patience,',
          'return inTime(this.inTurn(url), 100_000,',
        ],
      ],
    },
    {
      guard: 'a report of many short lines',
      suite: READ,
      test: 'reads 2,000 lines',
      edits: [['limits-of-reports.ts', 'MAX_LINES = 2_000', 'MAX_LINES = 200_000']],
    },
    {
      guard: 'a report with endless lists of addresses',
      suite: READ,
      test: 'reads 64 kB of header fields, in which lists of addresses take long',
      edits: [['limits-of-reports.ts', 'MAX_HEADERS = 65_536', 'MAX_HEADERS = 1_048_576']],
    },
    {
      guard: 'a report of many broken parts',
      suite: READ,
      test: 'reads 79 parts of a broken structure',
      edits: [['limits-of-reports.ts', 'MAX_PIECES = 80', 'MAX_PIECES = 800']],
    },
    {
      guard: "a stranger's JSON that takes long to parse, at a relay's hook",
      suite: 'json-view.spec.ts',
      test: 'parses nothing with many %s',
      edits: [['json-view.ts', 'for (const _ of new JsonScanner(GrowingBytes.of(bytes), PLAIN).end());', '']],
    },
    {
      guard: "a topic of SNS that is not the host's",
      suite: SES,
      test: 'refuses %s, and fetches nothing',
      edits: [
        [
          'ses.relay.ts',
          "if (!this.topics.has(message.topic)) throw unproven('This topic of Amazon SNS is not configured.');",
          '',
        ],
      ],
    },
    {
      guard: 'other spellings of one certificate of SNS, each fetched and kept',
      suite: SES,
      test: 'refuses %s, and fetches nothing',
      edits: [['sns-urls.ts', ' && !/[?#]/.test(text)', '']],
    },
    {
      guard: 'many large bodies at once, at the hook of a relay',
      suite: 'hooks.controller.spec.ts',
      test: 'reads each of several large bodies in a turn of its own',
      edits: [['hooks.controller.ts', 'if (memory) await nextTurn();', '']],
    },
    {
      guard: 'a certificate that is not at SNS',
      suite: SES,
      test: 'refuses %s, and fetches nothing',
      edits: [['sns-message.ts', ' &&\n      isCertificateUrl(this.certificateUrl, this.region)', '']],
    },
    {
      guard: 'a message of SNS that is changed',
      suite: SES,
      test: 'refuses a changed message, another key, and another hash',
      edits: [
        [
          'ses.relay.ts',
          'if (!message.isSignedBy(await this.certificates.keyOf(message.certificateUrl))) throw refusal();',
          '',
        ],
      ],
    },
    {
      guard: 'an event of Mailgun without its signature',
      suite: MAILGUN,
      test: 'refuses as signature %s',
      edits: [['mailgun.relay.ts', 'isSigned && isRecent(time, AGE)', 'isRecent(time, AGE)']],
    },
    {
      guard: 'an old signature of Mailgun',
      suite: MAILGUN,
      test: 'refuses as signature %s',
      edits: [['mailgun.relay.ts', 'isSigned && isRecent(time, AGE)', 'isSigned']],
    },
    {
      guard: 'a token of Mailgun under another event',
      suite: MAILGUN,
      test: 'refuses a token under another event, also while the first is under way',
      edits: [
        [
          'mailgun.relay.ts',
          "if (!(await this.tokens.claim(claimed))) throw unproven('The token of this request was used before.');",
          '',
        ],
      ],
    },
    {
      guard: 'an event of SendGrid without its signature',
      suite: 'sendgrid.relay.spec.ts',
      test: 'refuses a body that was changed, another key, and another time',
      edits: [['sendgrid.relay.ts', "if (!verify('sha256', signed, this.key, signature)) throw refusal();", '']],
    },
    {
      guard: 'a request without the password of Postmark',
      suite: 'postmark.relay.spec.ts',
      test: 'refuses %j before the body is read',
      edits: [['postmark.relay.ts', 'if (sameText(given, this.authorization)) return;', 'return;']],
    },
  ],
};
