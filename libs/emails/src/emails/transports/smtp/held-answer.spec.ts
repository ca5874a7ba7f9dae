import type { BuiltMessage } from '../../ports/email-transport.js';
import { HeldAnswer } from './held-answer.js';
import { SmtpTransaction } from './smtp-transaction.js';

const message: BuiltMessage = {
  from: 'from@from.test',
  recipients: ['to@to.test'],
  needsSmtpUtf8: false,
  raw: Buffer.from('Hello'),
};

/** The held answer to a message, after this reply to the MAIL of the envelope behind. */
function held(mail: string, dot: string): HeldAnswer {
  const transaction = new SmtpTransaction(
    message,
    false,
    false,
    () => {},
    () => {},
  );
  transaction.mail = { code: Number(mail.slice(0, 3)), text: mail };
  transaction.dot = { code: Number(dot.slice(0, 3)), text: dot };
  const answer = new HeldAnswer(
    () => {},
    () => undefined,
    () => false,
  );
  answer.hold(transaction);
  return answer;
}

it.each([
  ['250 OK', '250 OK', true],
  ['250 OK', '250 OK queued', false],
  ['250 <a@from.test>... Sender ok', '250 <b@from.test>... Sender ok', true],
  ['250 sender a@from.test ok', '250 sender b@from.test ok', true],
  ['250 OK', '250 2.1.0 OK', true],
  ['250 2.1.0 OK', '250 2.1.5 OK', false],
  ['250 2.1.0 OK', '250 2.1.50 OK', true],
])('where MAIL is answered "%s", "%s" may be an answer to it: %s', (mail, dot, isSo) => {
  expect(held(mail, dot).mayBeToMail).toBe(isSo);
});

it.each(['<', 'x', '<x', 'a@'])('compares a long reply of "%s" in a short time', (part) => {
  const text = `250 ${part.repeat(200_000)}`;
  const before = process.cpuUsage();
  expect(held(text, text).mayBeToMail).toBe(true);
  const { user } = process.cpuUsage(before);
  expect(user / 1_000).toBeLessThan(1_000);
});
