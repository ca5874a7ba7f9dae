import { jest } from '@jest/globals';
import { DelayedError } from 'bullmq';
import { Semaphore } from '../../shared/work/semaphore.js';
import type { DeliveryJob } from '../queue/delivery-queue.js';
import { DeliveryProcessor } from './delivery.processor.js';

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** A processor whose deliveries end when told, each with how long its email has to wait. */
function processor() {
  const ends = new Map<string, { resolve: (wait?: number) => void; reject: (error: Error) => void }>();
  const deliver = (id: string) =>
    new Promise<number | undefined>((resolve, reject) => ends.set(id, { resolve, reject }));
  const wakeAgain = jest.fn();
  return { ends, wakeAgain, processor: new DeliveryProcessor({ deliver } as never, { wakeAgain } as never) };
}

function jobOf(...[first = '', ...more]: string[]) {
  const data: DeliveryJob = { emailId: first, ...(more.length > 0 && { more: more.map((emailId) => ({ emailId })) }) };
  return { data, updateData: jest.fn(async (_: DeliveryJob) => {}), moveToDelayed: jest.fn(async () => {}) };
}

describe('DeliveryProcessor', () => {
  it('works on the emails of a job side by side, as many as there is room for, and ends when all have begun', async () => {
    const { ends, processor: works } = processor();
    let ended = false;
    const room = new Semaphore(2);
    const processed = works.process(jobOf('a', 'b', 'c') as never, room).then(() => (ended = true));
    await tick();
    expect([...ends.keys()]).toEqual(['a', 'b']);
    expect(ended).toBe(false);
    ends.get('b')?.resolve();
    await processed;
    expect([...ends.keys()]).toEqual(['a', 'b', 'c']);
    // A slow email keeps no job from coming.
    ends.get('c')?.resolve();
    await works.process(jobOf('old') as never, room);
    expect(ends.has('old')).toBe(true);
  });

  it('wakes for those that came too early again, by themselves', async () => {
    const { ends, wakeAgain, processor: works } = processor();
    await works.process(jobOf('a', 'b') as never, new Semaphore(5));
    ends.get('a')?.resolve(300);
    ends.get('b')?.resolve();
    await works.finished();
    expect(wakeAgain.mock.calls).toEqual([['a', 300]]);
  });

  it('goes on with the others when PostgreSQL fails for one', async () => {
    const { ends, processor: works } = processor();
    const room = new Semaphore(2);
    const processed = works.process(jobOf('a', 'b', 'c') as never, room);
    await tick();
    ends.get('a')?.reject(new Error('a trigger'));
    await processed;
    ends.get('b')?.resolve();
    ends.get('c')?.resolve();
    await works.finished();
    expect(room.taken).toBe(0);
  });

  it('gives what has not begun back to the queue when its room is closed, and waits for what has', async () => {
    const { ends, processor: works } = processor();
    const room = new Semaphore(1);
    const job = jobOf('a', 'b', 'c');
    const processed = works.process(job as never, room, 'token');
    await tick();
    room.close();
    await expect(processed).rejects.toBeInstanceOf(DelayedError);
    expect(job.updateData.mock.calls).toEqual([[{ emailId: 'b', more: [{ emailId: 'c' }] }]]);
    expect(job.moveToDelayed.mock.calls).toEqual([[expect.any(Number), 'token']]);
    let finished = false;
    const all = works.finished().then(() => (finished = true));
    await tick();
    expect(finished).toBe(false);
    ends.get('a')?.resolve();
    await all;
  });
});
