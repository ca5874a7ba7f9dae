import { ConnectionShares } from './connection-shares.js';

describe('ConnectionShares', () => {
  it('leaves the last quarter to destinations that have none', () => {
    const shares = new ConnectionShares(() => 20);
    for (let taken = 0; taken < 15; taken++) {
      expect(shares.mayTake('hangs.test')).toBe(true);
      shares.take('hangs.test');
    }
    expect(shares.mayTake('hangs.test')).toBe(false);
    for (let other = 0; other < 5; other++) {
      expect(shares.mayTake(`other${other}.test`)).toBe(true);
      shares.take(`other${other}.test`);
    }
    expect(shares.mayTake('other0.test')).toBe(false);
    expect(shares.size).toBe(20);
    for (let taken = 0; taken < 5; taken++) shares.leave('hangs.test');
    expect(shares.mayTake('hangs.test')).toBe(false);
    shares.leave('hangs.test');
    expect(shares.mayTake('hangs.test')).toBe(true);
    for (let taken = 0; taken < 9; taken++) shares.leave('hangs.test');
    for (let taken = 0; taken < 10; taken++) shares.take(`more${taken}.test`);
    expect(shares.mayTake('hangs.test')).toBe(true);
    expect(shares.mayTake('more0.test')).toBe(false);
  });

  it('divides nothing among messages without a destination, nor where there are few connections', () => {
    let connections = 20;
    const shares = new ConnectionShares(() => connections);
    for (let taken = 0; taken < 40; taken++) {
      expect(shares.mayTake(undefined)).toBe(true);
      shares.take(undefined);
    }
    for (let taken = 0; taken < 40; taken++) shares.leave(undefined);
    expect(shares.size).toBe(0);
    shares.take('only.test');
    connections = 2;
    expect(shares.mayTake('only.test')).toBe(true);
    connections = 1;
    expect(shares.mayTake('only.test')).toBe(false);
  });
});
