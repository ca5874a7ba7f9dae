import type { RecipientState } from '../states/recipient-state.js';
import { destinationOf, isSeveral } from './destination.js';

const to = (...addresses: string[]) => addresses.map((address): RecipientState => ({ address, status: 'pending' }));

describe('The destination of an email', () => {
  it('is the domain of its recipients', () => {
    expect(destinationOf(to('a@to.test', '"b@c"@to.test'))).toBe('to.test');
  });

  it('is a separate destination for several domains, in any order', () => {
    const several = destinationOf(to('a@one.test', 'b@other.test', 'c@one.test'));
    expect(several).toBe('one.test,other.test');
    expect(destinationOf(to('d@other.test', 'e@one.test'))).toBe(several);
    expect([isSeveral(several), isSeveral('one.test')]).toEqual([true, false]);
  });

  it('ignores recipients that are not pending', () => {
    expect(destinationOf([{ address: 'a@done.test', status: 'delivered' }, ...to('b@to.test')])).toBe('to.test');
  });

  it('takes little memory, however many domains there are', () => {
    const many = to(...Array.from({ length: 50 }, (_, n) => `a@${'x'.repeat(60)}${n}.test`));
    expect(destinationOf(many)).toHaveLength(255);
  });
});
