import { failureOf } from './failures';

describe('failureOf', () => {
  it.each([
    ['dns', 'The host name of the endpoint was not found.'],
    ['connection refused', 'The endpoint refused the connection.'],
    ['of a later version', 'of a later version'],
    ['constructor', 'constructor'],
  ])('of %s is: %s', (reason, sentence) => {
    expect(failureOf(reason)).toBe(sentence);
  });
});
