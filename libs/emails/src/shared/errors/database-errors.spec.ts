import { isDatabaseUnavailable, isKnownFailure, isNoRowsFault, OutcomeUnknownError } from './database-errors.js';

const fromServer = (code: string) => Object.assign(new Error('no'), { severity: 'FEHLER', code });

describe('isKnownFailure', () => {
  it.each([
    ['a refusal', fromServer('23505')],
    ['a lock that did not come', fromServer('55P03')],
    ['a statement that took too long', fromServer('57014')],
    [
      'a connection that was broken before',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
  ])('is true of %s', (_, error) => {
    expect(isKnownFailure(error)).toBe(true);
  });

  it.each([
    ['a server that shuts down', fromServer('57P01')],
    ['a pooler that lost the server', fromServer('08P01')],
    ['a connection that ends', new Error('Connection terminated unexpectedly')],
    ['a reset', Object.assign(new Error('read'), { code: 'ECONNRESET' })],
    ['a broken pipe', Object.assign(new Error('write'), { code: 'EPIPE' })],
    ['an answer that does not come', new Error('Query read timeout')],
    ['what is no error', 'no'],
  ])('is false of %s', (_, error) => {
    expect(isKnownFailure(error)).toBe(false);
  });
});

describe('isNoRowsFault', () => {
  it.each(['57014', '53200', '25006'])('is true of SQLSTATE %s', (code) => {
    expect(isNoRowsFault(fromServer(code))).toBe(true);
  });

  it.each(['58030', 'XX001', 'P0001', '22021'])(
    'is false of SQLSTATE %s, which one row may be to blame for',
    (code) => {
      expect(isNoRowsFault(fromServer(code))).toBe(false);
    },
  );
});

describe('isDatabaseUnavailable', () => {
  it.each([new OutcomeUnknownError({ cause: 'no' }), fromServer('55P03'), fromServer('57014'), fromServer('53200')])(
    'is true of %s',
    (error) => {
      expect(isDatabaseUnavailable(error)).toBe(true);
    },
  );

  it.each(['22021', '23505', '40P01', '57000'])('is false of SQLSTATE %s', (code) => {
    expect(isDatabaseUnavailable(fromServer(code))).toBe(false);
  });
});
