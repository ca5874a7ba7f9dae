import { setTimeout as pause } from 'node:timers/promises';
import { InboxSignatures } from './inbox-signatures.js';
import { type DkimStatus, PENDING, type SignatureTask, UNKNOWN } from './signature-check.js';

const PASS: DkimStatus = { status: 'pass', signatures: [] };

/** A thread whose tasks end when a test says so. */
class Thread {
  readonly tasks: SignatureTask[] = [];
  readonly ends: ((status: DkimStatus) => void)[] = [];
  run = (task: SignatureTask) => {
    this.tasks.push(task);
    return new Promise<DkimStatus>((resolve) => this.ends.push(resolve));
  };
  stop = () => {
    for (const end of this.ends) end(UNKNOWN);
  };
}

describe('InboxSignatures', () => {
  let thread: Thread;
  let now: number;
  let signatures: InboxSignatures;

  beforeEach(() => {
    thread = new Thread();
    now = 1_000;
    signatures = new InboxSignatures({ dnsServers: ['127.0.0.1:53'] }, thread, () => now);
  });

  it('verifies when it is asked, once', async () => {
    expect(signatures.statusOf('a', 'a.eml')).toBe(PENDING);
    expect(signatures.statusOf('a', 'a.eml')).toBe(PENDING);
    const result = signatures.resultOf('a', 'a.eml', 5_000);
    thread.ends[0]!(PASS);
    expect(await result).toBe(PASS);
    expect(signatures.statusOf('a', 'a.eml')).toBe(PASS);
    expect(await signatures.resultOf('a', 'a.eml', 0)).toBe(PASS);
    expect(thread.tasks).toEqual([{ file: 'a.eml', dnsServers: ['127.0.0.1:53'] }]);
  });

  it('verifies one message at a time, in the order of the questions', async () => {
    for (const id of ['a', 'b', 'c']) signatures.statusOf(id, id);
    for (const [index, id] of ['a', 'b', 'c'].entries()) {
      expect(thread.tasks.map(({ file }) => file)).toEqual(['a', 'b', 'c'].slice(0, index + 1));
      const result = signatures.resultOf(id, id, 5_000);
      thread.ends[index]!(PASS);
      await result;
      await pause(0);
    }
  });

  it('waits no longer than it may', async () => {
    expect(await signatures.resultOf('a', 'a', 10)).toBe(PENDING);
  });

  it('asks again for a key that could not be looked up, and keeps its word until then', async () => {
    const [first] = [signatures.resultOf('a', 'a', 5_000)];
    thread.ends[0]!(UNKNOWN);
    expect(await first).toBe(UNKNOWN);
    now += 59_999;
    expect(signatures.statusOf('a', 'a')).toBe(UNKNOWN);
    expect(thread.tasks).toHaveLength(1);
    now += 1;
    expect(signatures.statusOf('a', 'a')).toBe(UNKNOWN);
    expect(thread.tasks).toHaveLength(2);
    const second = signatures.resultOf('a', 'a', 5_000);
    thread.ends[1]!(PASS);
    expect(await second).toBe(PASS);
  });

  it('answers everybody who waits when it stops, and verifies nothing more', async () => {
    const results = Promise.all([signatures.resultOf('a', 'a', 60_000), signatures.resultOf('b', 'b', 60_000)]);
    signatures.stop();
    expect(await results).toEqual([UNKNOWN, UNKNOWN]);
    expect(await signatures.resultOf('c', 'c', 60_000)).toBe(PENDING);
    expect(thread.tasks).toHaveLength(1);
  });

  it('remembers a limited number of results', async () => {
    thread.run = async (task) => {
      thread.tasks.push(task);
      return PASS;
    };
    for (let i = 0; i < 2_100; i++) await signatures.resultOf(String(i), 'x', 5_000);
    expect(signatures.statusOf('2099', 'x')).toBe(PASS);
    expect(signatures.statusOf('99', 'x')).toBe(PENDING);
  });
});
