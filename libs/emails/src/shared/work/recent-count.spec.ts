import { RecentCount } from './recent-count.js';

it('counts the larger number of the current span and the one before it', () => {
  let now = 0;
  const count = new RecentCount(100, () => now);
  expect(count.most).toBe(0);
  for (let n = 0; n < 3; n++) count.add();
  now = 100;
  count.add();
  expect(count.most).toBe(3);
  now = 199;
  for (let n = 0; n < 4; n++) count.add();
  expect(count.most).toBe(5);
  now = 299;
  expect(count.most).toBe(5);
  now = 500;
  expect(count.most).toBe(0);
});
