import { AdaptiveLimit } from './adaptive-limit.js';

describe('AdaptiveLimit', () => {
  it('halves once for all tasks in progress, and grows by one with each successful round', () => {
    let now = 0;
    const limit = new AdaptiveLimit({ least: 1, most: 20 }, () => now);
    expect(limit.value).toBe(20);
    now = 10;
    for (let answer = 0; answer < 20; answer++) limit.pushedBack(5);
    expect(limit.value).toBe(10);
    for (let answer = 0; answer < 10; answer++) limit.succeeded();
    expect(limit.value).toBe(10);
    limit.succeeded();
    expect(limit.value).toBe(11);
  });

  it('stays within its bounds', () => {
    let now = 0;
    const limit = new AdaptiveLimit({ least: 2, most: 5 }, () => now);
    for (let round = 0; round < 10; round++) limit.pushedBack(now++);
    expect(limit.value).toBe(2);
    for (let answer = 0; answer < 100; answer++) limit.succeeded();
    expect(limit.value).toBe(5);
  });

  it('starts low, grows by one with each success, and by one with each round after a slow one', () => {
    const limit = new AdaptiveLimit({ least: 1, most: 20, first: 2 });
    expect(limit.value).toBe(2);
    for (let answer = 0; answer < 4; answer++) limit.succeeded();
    expect(limit.value).toBe(6);
    limit.succeeded({ slowly: true });
    for (let answer = 0; answer < 4; answer++) limit.succeeded();
    expect(limit.value).toBe(6);
    for (let answer = 0; answer < 2; answer++) limit.succeeded();
    expect(limit.value).toBe(7);
  });

  it('does not start above the maximum', () => {
    expect(new AdaptiveLimit({ least: 1, most: 1, first: 2 }).value).toBe(1);
  });
});
