import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Observation } from './observation.js';

const ACCEPTANCE = { emailId: 'e', duration: 1 };

describe('Observation', () => {
  it('needs no observer, nor one with every method', () => {
    new Observation([]).accepted(ACCEPTANCE);
    new Observation([{}]).attempted({
      emailId: 'e',
      transport: 'mx',
      accountId: 'a',
      outcomes: [],
      duration: 1,
      age: 1,
    });
  });

  it('isolates a failing observer, and logs no error text', () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    const accepted = jest.fn();
    const failing = {
      accepted: () => {
        throw new TypeError('canary');
      },
    };
    new Observation([failing, { accepted }]).accepted(ACCEPTANCE);
    expect(error).toHaveBeenCalledWith('An observer failed: TypeError');
    expect(accepted).toHaveBeenCalledWith(ACCEPTANCE);
    error.mockRestore();
  });
});
