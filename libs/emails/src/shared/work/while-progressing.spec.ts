import { setTimeout as wait } from 'node:timers/promises';
import { whileProgressing } from './while-progressing.js';

const late = () => {
  throw new Error('late');
};

describe('whileProgressing', () => {
  it('settles like the work', async () => {
    expect(await whileProgressing(async () => 7, 50, late)).toBe(7);
    await expect(whileProgressing(async () => Promise.reject(new Error('no')), 50, late)).rejects.toThrow('no');
  });

  it('waits for longer than the limit while there is progress', async () => {
    const work = async (progress: () => void) => {
      for (let step = 0; step < 6; step++) {
        await wait(60);
        progress();
      }
      return 'done';
    };
    expect(await whileProgressing(work, 200, late)).toBe('done');
  });

  it('ends when there is none, and stays ended', async () => {
    const work = async (progress: () => void) => {
      await wait(60);
      progress();
    };
    await expect(whileProgressing(work, 20, late)).rejects.toThrow('late');
    await wait(100);
  });
});
