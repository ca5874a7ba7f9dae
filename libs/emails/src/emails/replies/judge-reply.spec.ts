import { judgeReply } from './judge-reply.js';

const reply = (text: string) => ({ code: Number(text.slice(0, 3)), text });

/** Replies, and their kind of bounce (contract, section 3.4). */
describe('judgeReply', () => {
  it.each([
    ['550 5.1.1 <a@b.c>: Recipient address rejected: User unknown in virtual mailbox table', 'Permanent General'],
    ['550-5.1.1 The email account that you tried to reach does not exist.\n550 5.1.1 gsmtp', 'Permanent General'],
    ['550 5.1.0 Address rejected', 'Permanent General'],
    ['550 5.1.2 Host unknown', 'Permanent General'],
    ['553 5.1.3 Bad address syntax', 'Permanent General'],
    ['550 5.1.6 Moved', 'Permanent General'],
    ['550 5.1.10 RESOLVER.ADR.RecipientNotFound', 'Permanent General'],
    ['550 5.2.1 The account is disabled', 'Permanent General'],
    ['550 5.4.4 Unable to route', 'Transient General'],
    ['550 5.4.4 Host not found', 'Permanent General'],
    ['550 5.1.2 Unable to route', 'Transient General'],
    ['450 4.1.1 User unknown', 'Transient General'],
    ['450 5.1.1 User unknown', 'Transient General'],
    ['550 No such user here', 'Permanent General'],
    ['551 user not found', 'Permanent General'],
    ['553 sorry, that recipient has been disabled', 'Permanent General'],
    ['550 Requested action not taken: mailbox unavailable', 'Permanent General'],
    ['552 5.2.2 Mailbox full', 'Transient MailboxFull'],
    ['452 4.2.2 Over quota', 'Transient MailboxFull'],
    ['552 Quota exceeded', 'Transient MailboxFull'],
    ['552 5.2.3 Too large', 'Transient MessageTooLarge'],
    ['552 5.3.4 Message size exceeds fixed limit', 'Transient MessageTooLarge'],
    ['552 Message size exceeds maximum', 'Transient MessageTooLarge'],
    [
      '552-5.7.0 blocked because its content presents a potential security issue: attachment',
      'Transient AttachmentRejected',
    ],
    ['554 virus found', 'Transient AttachmentRejected'],
    ['550 5.6.0 Lone CR or LF', 'Transient ContentRejected'],
    ['550 5.7.1 Message considered spam', 'Transient ContentRejected'],
    ['554 5.7.1 Rejected due to content', 'Transient ContentRejected'],
    ['554 Transaction failed', 'Undetermined Undetermined'],
    ['550 5.7.1 we do not want this', 'Transient General'],
    ['550 5.7.26 unauthenticated, DMARC policy', 'Transient General'],
    ['554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked', 'Transient General'],
    ['550 5.4.1 Recipient address rejected: Access denied', 'Transient General'],
    ['550 5.3.2 System not accepting messages', 'Transient General'],
    ['550 5.0.0 User unknown', 'Permanent General'],
    ['550 5.1.8 Sender domain does not exist', 'Transient General'],
    ['550 5.5.0 Requested action not taken', 'Undetermined Undetermined'],
    ['550 Go away', 'Undetermined Undetermined'],
    ['521 Nobody here', 'Undetermined Undetermined'],
    ['550 version 5.1.1 of our server refuses', 'Undetermined Undetermined'],
  ])('%s: %s', (text, kind) => {
    const { type, subType } = judgeReply(reply(text)).kind;
    expect(`${type} ${subType}`).toBe(kind);
  });

  it('is undetermined without a reply', () => {
    expect(judgeReply({ text: 'Internationalized mailbox name not allowed' }).kind.type).toBe('Undetermined');
  });

  it.each([
    ['connect', 'policy_rejected'],
    ['helo', 'policy_rejected'],
    ['mail', 'policy_rejected'],
    ['rcpt', 'address_unknown'],
    ['data', 'route_failed'],
    ['dot', 'route_failed'],
  ] as const)('at %s an unknown user means %s', (stage, reasonCode) => {
    expect(judgeReply({ ...reply('550 5.1.1 User unknown'), stage }).reasonCode).toBe(reasonCode);
    expect(judgeReply({ ...reply('552 5.2.2 Mailbox full'), stage }).reasonCode).toBe('mailbox_full');
  });

  it('reads a status that was given apart, unless the text says more', () => {
    expect(judgeReply({ text: '550 no', status: '5.1.1' }).reasonCode).toBe('address_unknown');
    expect(judgeReply({ text: '550 5.7.1 no', status: '5.1.1' }).reasonCode).toBe('policy_rejected');
    expect(judgeReply({ text: '550 5.0.0 no', status: '5.1.1' }).reasonCode).toBe('address_unknown');
    expect(judgeReply({ text: '5.1.1 no' }).reasonCode).toBe('address_unknown');
    expect(judgeReply({ text: '', status: '4.4.7' }).reasonCode).toBe('route_failed');
    expect(judgeReply({ text: '', status: 'no status' }).reasonCode).toBe('unrecognised_reply');
  });

  it('reads a long text quickly', () => {
    const words = ['user ', 'no such ', 'mailbox is '];
    for (const word of words) expect(judgeReply(reply(`550 ${word.repeat(100_000)}`)).kind.type).toBeDefined();
  });
});
