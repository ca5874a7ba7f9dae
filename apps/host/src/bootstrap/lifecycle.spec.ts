import { StartError } from '../shared/errors/start.error.js';
import { Lifecycle } from './lifecycle.js';

describe('Lifecycle', () => {
  it('stops services in reverse order, once, and continues after a failure', async () => {
    const ended: string[] = [];
    const failures: unknown[] = [];
    const lifecycle = new Lifecycle((error) => failures.push(error));
    for (const name of ['first', 'second', 'third']) {
      await lifecycle.start(
        async () => name,
        (started) => {
          ended.push(started);
          if (started === 'second') throw new Error(started);
        },
      );
    }
    await Promise.all([lifecycle.end(), lifecycle.end()]);
    expect(ended).toEqual(['third', 'second', 'first']);
    expect(failures).toHaveLength(1);
  });

  it('stops a service that is still starting, and starts no more', async () => {
    const ended: string[] = [];
    const lifecycle = new Lifecycle(() => {});
    let finish: (value: string) => void = () => {};
    const starting = lifecycle.start(
      () => new Promise<string>((resolve) => (finish = resolve)),
      (started) => void ended.push(started),
    );
    await lifecycle.end();
    finish('late');
    await expect(starting).rejects.toBeInstanceOf(StartError);
    expect(ended).toEqual(['late']);
    await expect(
      lifecycle.start(
        async () => 'more',
        () => {},
      ),
    ).rejects.toBeInstanceOf(StartError);
  });
});
