import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ThreadLimitError, WorkThread } from './work-thread.js';

/** A thread with this program, which answers each task. */
function threadOf(code: string, some: { patience?: number; memory?: number; now?: () => number } = {}) {
  const program = new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort, threadId } from 'node:worker_threads'; parentPort.on('message', (task) => { ${code} });`,
    )}`,
  );
  const here = jest.fn((task: string) => `here ${task}`);
  const thread = new WorkThread<string, string>({
    program,
    purpose: 'to test',
    memory: 32,
    patience: 30_000,
    here,
    ...some,
  });
  return { thread, here };
}

const ANSWER = "parentPort.postMessage('done ' + task);";

describe('WorkThread', () => {
  it('does tasks in one thread', async () => {
    const { thread } = threadOf('parentPort.postMessage(String(threadId));');
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
    const program = new URL('file:///nowhere/some.worker.js');
    const thread = new WorkThread<string, string>({
      program,
      purpose: 'to test',
      memory: 32,
      patience: 30_000,
      here: (task) => `here ${task}`,
    });
    expect([await thread.run('a'), await thread.run('b')]).toEqual(['here a', 'here b']);
    expect(thread.isMissing).toBe(true);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('tries a thread again a minute after an odd error at its first task', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    warn.mockClear();
    let now = 0;
    const { thread } = threadOf(`if (task === 'odd') process.exit(1); ${ANSWER}`, { now: () => now });
    expect([await thread.run('odd'), await thread.run('a')]).toEqual(['here odd', 'here a']);
    now = 59_999;
    expect(await thread.run('b')).toBe('here b');
    now = 60_000;
    expect([await thread.run('odd'), await thread.run('c')]).toEqual(['here odd', 'here c']);
    now = 120_000;
    expect(await thread.run('d')).toBe('done d');
    await expect(thread.run('odd')).rejects.toThrow('The thread ended.');
    expect(await thread.run('e')).toBe('done e');
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
