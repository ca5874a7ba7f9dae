import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IndexWalk } from './index-walk.js';

it('goes on from where it came to, takes a step that failed again, and says when it begins and ends', async () => {
  const said = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
  const answers = [{ last: 'c', count: 2 }, new Error('away'), { last: 'a', count: 1 }, undefined, undefined];
  const asked: string[] = [];
  const walk = new IndexWalk({
    async index(before) {
      asked.push(before);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });

  expect(await walk.step()).toBe(true);
  await expect(walk.step()).rejects.toThrow('away');
  expect(await walk.step()).toBe(true);
  expect(await walk.step()).toBe(false);
  expect(said.mock.calls.map(([line]) => line)).toEqual([
    expect.stringContaining('are made known'),
    expect.stringContaining('3 more'),
  ]);

  expect(await walk.step()).toBe(false);
  expect(said).toHaveBeenCalledTimes(2);
  const end = asked[0];
  expect(asked).toEqual([end, 'c', 'c', 'a', end]);
});
