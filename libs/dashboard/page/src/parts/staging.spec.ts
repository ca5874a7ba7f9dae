import { stagingSentence } from './staging';

describe('stagingSentence', () => {
  it.each([
    [null, 'qa@example.net', 'Staging: all mail goes to qa@example.net, not to its recipients.'],
    [['me@example.net'], null, 'Staging: only me@example.net gets mail here; emails to others fail.'],
    [
      ['me@example.net', 'example.org'],
      'qa@example.net',
      'Staging: only me@example.net and example.org get mail here; emails to others fail. All mail goes to qa@example.net, not to its recipients.',
    ],
    [['a', 'b', 'c', 'd'], null, 'Staging: only a, b, c and d get mail here; emails to others fail.'],
    [['a', 'b', 'c', 'd', 'e'], null, 'Staging: only a, b, c and 2 others get mail here; emails to others fail.'],
  ])('of %j and %j says who gets mail', (only_to, redirect_all_to, sentence) => {
    expect(stagingSentence({ only_to, redirect_all_to })).toBe(sentence);
  });
});
