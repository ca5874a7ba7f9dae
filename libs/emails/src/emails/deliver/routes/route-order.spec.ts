import { inOrder } from './route-order.js';

const A = { name: 'a', weight: 3 };
const B = { name: 'b', weight: 1 };
const C = { name: 'c', weight: 0 };
const namesFor = (email: string, ...routes: (typeof A)[]) => inOrder(routes, email).map(({ name }) => name);

describe('inOrder', () => {
  it('leaves the order of the list without weights', () => {
    const list = [C, { name: 'd', weight: 0 }];
    expect(inOrder(list, 'email')).toBe(list);
  });

  it('gives each its share, always the same one for an email, and what has no weight last', () => {
    const emails = Array.from({ length: 4_000 }, (_, n) => `email ${n}`);
    const first = emails.filter((email) => namesFor(email, C, A, B)[0] === 'a').length;
    expect(first).toBeGreaterThan(2_800);
    expect(first).toBeLessThan(3_200);
    for (const email of emails) {
      expect(namesFor(email, B, C, A)).toEqual(namesFor(email, A, B, C));
      expect(namesFor(email, A, B, C)[2]).toBe('c');
    }
  });

  it('keeps the place of the others when one is added', () => {
    const moved = Array.from({ length: 1_000 }, (_, n) => `email ${n}`).filter((email) => {
      const [before] = namesFor(email, A, B);
      const [after] = namesFor(email, A, B, { name: 'd', weight: 1 });
      return after !== before && after !== 'd';
    });
    expect(moved).toEqual([]);
  });
});
