import { reportsOverload } from './overload-reply.js';

const replyOf = (text: string) => ({ code: Number(text.slice(0, 3)), text });

describe('reportsOverload', () => {
  it.each([
    '421 Service not available',
    '421 4.7.0 mx.example Error: too many connections from 192.0.2.1',
    '421 4.7.28 Our system has detected an unusual rate of mail',
    '421 4.3.2 The maximum number of concurrent server connections has exceeded a limit',
    '450 4.7.1 Error: too much mail from 192.0.2.1',
    '450-4.2.1 The user is receiving mail at a rate that prevents more',
    '451 4.7.500 Server busy',
    '451 4.4.5 Congestion',
    '452 4.3.2 System not accepting network messages',
    '452 Too many messages, slow down',
    '454 Throttling failure: Maximum sending rate exceeded',
  ])('finds it in %s', (text) => {
    expect(reportsOverload([replyOf(text)], () => [])).toBe(true);
  });

  it.each([
    '250 2.0.0 Queued at a high rate',
    '421 4.4.2 Idle for too long',
    '450 4.2.0 Greylisted',
    '450 4.7.1 Recipient address rejected: Greylisting in effect',
    '451 4.3.0 Try again later',
    '452 4.2.2 Mailbox full',
    '452 4.5.3 Too many recipients',
    '452 Too many recipients',
    '450 4.1.2 <rate@absent.test>: Recipient address rejected: Domain not found',
    '450 4.1.2 <slow down x@absent.test>: Recipient address rejected',
    '450 "too many x"@absent.test is unknown',
    '451 The corporate server does not accurately know',
    '550 5.7.1 Too many complaints',
    `450 ${'4'.repeat(10_000)}`,
  ])('does not find it in %s', (text) => {
    expect(reportsOverload([replyOf(text)], () => [])).toBe(false);
  });

  it('does not take a network error for it', () => {
    expect(reportsOverload([{ text: 'too many open files', error: 'EMFILE' }], () => [])).toBe(false);
  });

  it.each([
    ['450 4.1.8 <x> too many <y@a.test>: Sender address rejected', '"x> too many <y"@a.test'],
    ['451 4.3.0 Header Subject: "too many offers" not acceptable now', 'Subject: Too many offers'],
  ])('does not find it in words of the message: %s', (text, part) => {
    expect(reportsOverload([replyOf(text)], () => [])).toBe(true);
    expect(reportsOverload([replyOf(text)], () => [part])).toBe(false);
  });

  it('reads the parts of a message once, however many replies quote it', () => {
    let reads = 0;
    const replies = Array.from({ length: 50 }, (_, at) => replyOf(`450 rate ${at}`));
    const quotable = () => {
      reads++;
      return ['rate'];
    };
    expect(reportsOverload(replies, quotable)).toBe(false);
    expect(reads).toBe(1);
  });
});
