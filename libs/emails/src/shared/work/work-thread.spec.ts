import type { WorkerOptions } from 'node:worker_threads';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ThreadLimitError, type ThreadRules, WorkThread } from './work-thread.js';

/** A thread with this program, which answers each task. */
function threadOf(code: string, some: Partial<ThreadRules<string, string>> = {}) {
  const program = new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort, threadId, workerData } from 'node:worker_threads'; ${START}
      parentPort.on('message', (task) => { ${code} });
      parentPort.postMessage({});`,
    )}`,
  );
  const here = jest.fn((task: string) => `here ${task}`);
  const thread = new WorkThread<string, string>({
    program,
    purpose: 'to test',
    memory: 32,
    patience: 30_000,
    here,
    otherwise: 'tasks are done here',
    ...some,
  });
  return { thread, here };
}

const START = "if (workerData === 'odd') process.exit(1);";
const ANSWER = "parentPort.postMessage({ result: 'done ' + task });";

describe('WorkThread', () => {
  it('does tasks in one thread', async () => {
    const { thread } = threadOf('parentPort.postMessage({ result: threadId });');
    const first = await thread.run('a');
    expect(await thread.run('b')).toBe(first);
  });

  it('ends a task that takes too long, and does the next one', async () => {
    // Ends by itself at last, so that the tests end without the limit.
    const stay = "const end = Date.now() + 10_000; while (task === 'stay' && Date.now() < end);";
    const { thread, here } = threadOf(`${stay} ${ANSWER}`, { patience: 2_000 });
    await expect(thread.run('stay')).rejects.toThrow(ThreadLimitError);
    expect(await thread.run('go')).toBe('done go');
    expect(here).not.toHaveBeenCalled();
  });

  it('ends a task that takes too much memory, be it the first', async () => {
    const { thread, here } = threadOf(`const all = []; while (task === 'fill') all.push([0, 0, 0, 0]); ${ANSWER}`);
    await expect(thread.run('fill')).rejects.toThrow(ThreadLimitError);
    expect(await thread.run('go')).toBe('done go');
    expect(here).not.toHaveBeenCalled();
  });

  it('does no task in the event loop after the first one ended the thread or failed', async () => {
    const { thread, here } = threadOf(
      `if (task === 'end') process.exit(1); if (task === 'fail') throw new TypeError('odd'); ${ANSWER}`,
    );
    await expect(thread.run('end')).rejects.toThrow('The thread ended.');
    await expect(thread.run('fail')).rejects.toThrow('odd');
    expect(await thread.run('go')).toBe('done go');
    expect(here).not.toHaveBeenCalled();
  });

  it('keeps what the thread prints from the output of the process', async () => {
    const written = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation(() => true),
    );
    const { thread } = threadOf(`console.log('secret'); console.error('secret'); setTimeout(() => { ${ANSWER} }, 50);`);
    expect(await thread.run('a')).toBe('done a');
    expect(written.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });

  it('does tasks in the event loop where no thread can be started', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { thread } = threadOf('', { program: new URL('file:///nowhere/some.worker.js') });
    expect([await thread.run('a'), await thread.run('b')]).toEqual(['here a', 'here b']);
    expect(thread.isMissing).toBe(true);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('tries a thread again a minute after it could not be started', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    warn.mockClear();
    let now = 0;
    const options: WorkerOptions = { workerData: 'odd' };
    const { thread } = threadOf(ANSWER, { now: () => now, options });
    expect(await thread.run('a')).toBe('here a');
    now = 59_999;
    expect(await thread.run('b')).toBe('here b');
    now = 60_000;
    expect([await thread.run('c'), await thread.run('d')]).toEqual(['here c', 'here d']);
    now = 120_000;
    options.workerData = '';
    expect(await thread.run('e')).toBe('done e');
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
