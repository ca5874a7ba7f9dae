import { costOf } from '../work/growth.spec-tools.js';
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

  it('knows an operator by its words, else by the host', () => {
    expect(judgeReply(reply('550 5.1.1 The email account that you tried to reach does not exist.'))).toEqual({
      kind: { type: 'Permanent', subType: 'General', operator: 'gmail' },
      reasonCode: 'address_unknown',
      operator: 'gmail',
    });
    expect(judgeReply({ ...reply('550 no'), host: 'Gmail-SMTP-In.L.Google.com.' }).operator).toBe('gmail');
    expect(judgeReply({ ...reply('550 no'), host: 'notgoogle.com' })).not.toHaveProperty('operator');
    expect(judgeReply({ ...reply('550 no'), host: '.'.repeat(1_000) })).not.toHaveProperty('operator');
  });

  it('takes an operator at its word after DATA, and at its own hosts only where others mean something else', () => {
    const late = {
      ...reply("554 delivery error: dd This user doesn't have a yahoo.com account"),
      stage: 'dot',
    } as const;
    expect(judgeReply(late).reasonCode).toBe('address_unknown');
    expect(judgeReply({ ...late, stage: 'mail' }).reasonCode).toBe('policy_rejected');
    const denied = reply('550 5.4.1 Recipient address rejected: Access denied');
    expect(judgeReply(denied).kind.type).toBe('Transient');
    const host = 'to-test.mail.protection.outlook.com';
    expect(judgeReply({ ...denied, host })).toMatchObject({ reasonCode: 'address_unknown', operator: 'microsoft' });
  });

  it('says that a limit of the sender was reached', () => {
    expect(judgeReply(reply('454 Throttling failure: Daily message quota exceeded'))).toMatchObject({
      reasonCode: 'sender_limit',
      isSenderLimit: true,
    });
    expect(judgeReply(reply('452 4.2.2 over quota'))).not.toHaveProperty('isSenderLimit');
  });

  it.each([
    ['550 Benutzer unbekannt', 'address_unknown'],
    ['550 Postfach existiert nicht', 'address_unknown'],
    ['552 Das Postfach ist voll', 'mailbox_full'],
    ['550 Konto gesperrt', 'address_disabled'],
    ['550 Absender ungültig', 'policy_rejected'],
    ["550 L'adresse ci-dessus n'existe pas", 'address_unknown'],
    ['552 Boite du destinataire pleine', 'mailbox_full'],
    ['550 Emetteur invalide', 'policy_rejected'],
    ['421 Service refuse. Veuillez essayer plus tard.', 'policy_rejected'],
    ['550 El usuario no existe', 'address_unknown'],
    ['550 Cuenta deshabilitada', 'address_disabled'],
    ['552 Buzón lleno', 'mailbox_full'],
    ['550 Caixa postal inexistente', 'address_unknown'],
    ['552 Caixa postal cheia', 'mailbox_full'],
    ['550 Utente sconosciuto', 'address_unknown'],
    ['550 Пользователь не найден', 'address_unknown'],
    ['550 Почтовый ящик переполнен', 'mailbox_full'],
    ['550 Почтовый ящик заблокирован', 'address_disabled'],
    ['550 Адрес отправителя не найден', 'policy_rejected'],
    ['550 收件人不存在', 'address_unknown'],
    ['552 邮箱已满', 'mailbox_full'],
    ['550 发件人不存在', 'policy_rejected'],
    ['550 宛先不明', 'address_unknown'],
    ['552 メールボックスがいっぱいです', 'mailbox_full'],
    ['550 Nie ma takiego użytkownika', 'address_unknown'],
  ])('reads %s', (text, reasonCode) => {
    expect(judgeReply(reply(text)).reasonCode).toBe(reasonCode);
  });

  it.each([
    '550 backscatter protection detected an invalid or expired email address',
    '550 Unrouteable address: sender verify fail for <bounce@x.test>: Unrouteable address',
    '550 Your account has been disabled for sending',
    '535 Invalid user name or password',
    '550-Requested action not taken: mailbox unavailable\n550 invalid DNS MX or A/AAAA resource record',
    '535 5.7.8 No such user',
    '550 No route to recipient address',
    '550 5.1.1 RCP-P2 Refused due to recipient preferences',
    '550 5.1.1 Message held for human verification',
    '550 no permission for user',
    '550 Bad reply from user filter',
    '550 Invalid Reply-To address',
    '550 unknown host [192.0.2.1] not allowed',
    '554 5.5.1 Error: no valid recipients',
    '503 5.5.1 MAIL first, no valid recipients',
    '503 5.1.1 Unknown user, need RCPT',
    '503 There are no valid recipients',
    "5.1.0 - Unknown address error 554-'Go away'",
    '550 5.7.1 Relaying to unknown user denied',
    '550 5.7.1 No such user: sender address rejected',
    '550 account disabled temporarly for exceeding receiving limits',
  ])('never suppresses for %s', (text) => {
    expect(judgeReply(reply(text)).kind.type).not.toBe('Permanent');
  });

  it.each([
    'host mx.to.test[192.0.2.1] said: ',
    'SMTP error from remote mail server after RCPT TO:<a@to.test>: host mx.to.test [192.0.2.1]: ',
    "Remote Server at to.test (192.0.2.1) returned '",
    'Server mx.to.test[192.0.2.1] failed with: ',
    'It responded as follows: [',
  ])('reads the code and status behind %s', (before) => {
    expect(judgeReply({ text: `${before}550 5.7.1 no` }).reasonCode).toBe('policy_rejected');
    expect(judgeReply({ text: `${before}450 user unknown` }).reasonCode).toBe('route_failed');
  });

  it('reads the reply behind a gateway, whose own words say nothing', () => {
    const of = (text: string) => judgeReply({ text, status: '5.1.0' }).reasonCode;
    expect(of("5.1.0 - Unknown address error 550-'5.1.1 <joe@to.test> User unknown'")).toBe('address_unknown');
    expect(of("5.1.0 - Unknown address error 550-'5.7.1 Spam'")).toBe('content_rejected');
    expect(of("5.1.0 - Unknown address error 554-'Go away'")).toBe('unrecognised_reply');
  });

  it('reads under 5.7.1 that nobody has the address, where the words leave no other reading', () => {
    expect(judgeReply(reply('550 5.7.1 No such user c18si2365148hub')).reasonCode).toBe('address_unknown');
    expect(judgeReply(reply('550 5.7.1 mailbox unavailable')).reasonCode).toBe('policy_rejected');
  });

  it('takes no word of an address or a link for a reason', () => {
    expect(judgeReply(reply('550 5.1.1 <spam-quota@a.test>: User unknown')).reasonCode).toBe('address_unknown');
    expect(judgeReply(reply('550 User unknown, see https://a.test/blocked-by-policy')).reasonCode).toBe(
      'address_unknown',
    );
  });

  it.each([
    ...['user ', 'no such ', 'mailbox is ', 'a', ' ', 'a@', '<', '<a ', 'sender ', 'message ', 'size ', 'quota '],
    ...['blocked ', 'Recipient address rejected: user ', '550 ', 'http', 'domain a ', 'not ', 'bad a b ', 'RCPT '],
    ...['content ', 'relay ', 'delivery to ', '5.4.1 <', 'your a b ', 'unknown a-b-c '],
  ])('reads %j, repeated without end, within milliseconds', (piece) => {
    expect(costOf(() => judgeReply(reply(`550 ${piece.repeat(100_000)}`)))).toBeLessThan(20_000);
  });
});
