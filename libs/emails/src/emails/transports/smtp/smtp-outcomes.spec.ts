import { contentVerdict, NO_LOGIN, outcomesOf, refusal, refusalOfMail, refusedAt, verdictOf } from './smtp-outcomes.js';

const TO = ['a@to.test', 'b@to.test'];
const reply = (text: string) => ({ code: Number(text.slice(0, 3)), text });

it.each([
  ['250 2.0.0 taken', 'accepted'],
  ['451 4.7.1 later', 'deferred'],
  ['421 4.3.2 closing', 'deferred'],
  ['554 5.7.1 spam', 'rejected'],
])('"%s" means that the message is %s', (text, outcome) => {
  expect(verdictOf(reply(text))).toEqual({ outcome, reply: { code: Number(text.slice(0, 3)), text } });
});

it.each([
  [500, 'deferred', 'rejected'],
  [501, 'rejected', 'rejected'],
  [502, 'deferred', 'rejected'],
  [503, 'deferred', 'deferred'],
  [504, 'rejected', 'rejected'],
  [421, 'deferred', 'deferred'],
])('%d after a command means that the message is %s, after a whole message that it is %s', (code, command, whole) => {
  const said = reply(`${code} 5.5.1 what?`);
  expect([verdictOf(said).outcome, contentVerdict(said).outcome]).toEqual([command, whole]);
});

it.each([
  '530 5.7.0 Must issue a STARTTLS command first',
  '534 5.7.9 too weak',
  '535 no',
  '538 no',
  '554 5.7.8 login first',
])('"%s" to a command is about this client, and refuses no recipient', (text) => {
  expect(refusal(reply(text)).outcome).toBe('deferred');
  expect(refusal(reply('554 5.7.1 no relaying')).outcome).toBe('rejected');
});

it.each([
  '530 5.7.0 Authentication required',
  '550 5.7.57 Client was not authenticated to send anonymous mail',
  '550 5.7.1 Authentication required',
  '550 Unauthenticated senders not allowed',
  '554 5.7.1 Access denied: authenticate first',
  '553 sorry, you must be authenticated',
  '550 please log in first',
  '550 5.7.1 Not logged in',
  '550 SMTP AUTH is required',
])('"%s" to MAIL means that the login is missing', (text) => {
  expect(refusalOfMail(reply(text))).toEqual({
    outcome: 'deferred',
    reply: { code: Number(text.slice(0, 3)), text, error: NO_LOGIN },
  });
});

it.each([
  '550 5.1.8 no such sender',
  '550 5.7.1 you are blogging too much',
  '553 5.7.1 not owned by the authenticated user',
  '550 5.7.26 This mail is unauthenticated',
  '550 5.7.1 SPF authentication failed',
  '550 DMARC: the domain is not authenticated',
  '553 5.1.8 <authenticate@from.test>: Sender address rejected',
])('"%s" to MAIL is about the sender', (text) => {
  expect(refusalOfMail(reply(text))).toEqual({ outcome: 'rejected', reply: { code: Number(text.slice(0, 3)), text } });
});

it('ignores words about a login after other commands', () => {
  expect(refusal(reply('550 5.7.1 Authentication required')).outcome).toBe('rejected');
  expect(refusal(reply('550 5.7.57 Client was not authenticated')).outcome).toBe('deferred');
});

it('returns the wait that the server asked for', () => {
  expect(refusal(reply('451 4.7.1 Try again in 5 minutes'))).toMatchObject({ retryAfter: 300_000 });
});

it('notes the command that was refused', () => {
  const refused = refusedAt('dot', contentVerdict(reply('554 spam')));
  expect(refused).toEqual({ outcome: 'rejected', reply: { code: 554, text: '554 spam', stage: 'dot' } });
  expect(refusedAt('dot', contentVerdict(reply('250 ok'))).reply).not.toHaveProperty('stage');
});

it('applies the refusal of a recipient to that recipient only', () => {
  const replies = [reply('250 ok'), reply('550 nobody')];
  const rest = { outcome: 'unknown', reply: { text: 'lost', error: 'ECONNECTION' } } as const;
  expect(outcomesOf(TO, replies, rest)).toEqual([
    { address: 'a@to.test', outcome: 'unknown', reply: { text: 'lost', error: 'ECONNECTION' } },
    { address: 'b@to.test', outcome: 'rejected', reply: { code: 550, text: '550 nobody', stage: 'rcpt' } },
  ]);
});

it('keeps 500 characters of the reply', () => {
  expect(refusal(reply(`550 ${'x'.repeat(5_000)}`)).reply.text).toHaveLength(500);
});
