import { connect } from 'node:net';
import {
  isDatabaseBusy,
  isDatabaseUnavailable,
  isKnownFailure,
  isNoRowsFault,
  OutcomeUnknownError,
} from './database-errors.js';
import { unavailable } from './unavailable.js';

const ofSystem = (syscall: string, code: string) => Object.assign(new Error(`${syscall} ${code}`), { syscall, code });
const fromServer = (code: string) => Object.assign(new Error('no'), { severity: 'FEHLER', code });

describe('isKnownFailure', () => {
  it.each([
    ['a refusal', fromServer('23505')],
    ['a lock timeout', fromServer('55P03')],
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
    ['a missing answer', new Error('Query read timeout')],
    ['what is no error', 'no'],
  ])('is false of %s', (_, error) => {
    expect(isKnownFailure(error)).toBe(false);
  });
});

describe('isDatabaseBusy', () => {
  it.each([
    ['a statement that took too long', fromServer('57014')],
    ['a lock timeout', fromServer('55P03')],
    ['a conflict with others', fromServer('40001')],
    ['no free connection', new Error('timeout exceeded when trying to connect')],
  ])('is true of %s', (_, error) => {
    expect(isDatabaseBusy(error)).toBe(true);
    expect(unavailable(error).message).toMatch(/^The database does not answer in time/);
  });

  it.each([
    ['an absent server', ofSystem('connect', 'ECONNREFUSED')],
    ['a server that shuts down', fromServer('57P01')],
    ['a full disk', fromServer('53100')],
  ])('is false of %s', (_, error) => {
    expect(isDatabaseBusy(error)).toBe(false);
    expect(unavailable(error).message).toMatch(/^The database cannot be reached/);
  });
});

describe('isNoRowsFault', () => {
  it.each(['57014', '53200', '25006'])('is true of SQLSTATE %s', (code) => {
    expect(isNoRowsFault(fromServer(code))).toBe(true);
  });

  it.each(['58030', 'XX001', 'P0001', '22021'])('is false of SQLSTATE %s, which a single row may cause', (code) => {
    expect(isNoRowsFault(fromServer(code))).toBe(false);
  });
});

describe('isDatabaseUnavailable', () => {
  it.each([new OutcomeUnknownError({ cause: 'no' }), fromServer('55P03'), fromServer('57014'), fromServer('53200')])(
    'is true of %s',
    (error) => {
      expect(isDatabaseUnavailable(error)).toBe(true);
    },
  );

  it.each(['ENOENT', 'EACCES', 'EMFILE', 'ENFILE', 'EPERM', 'ECONNREFUSED'])('is true of a connect that %s', (code) => {
    expect(isDatabaseUnavailable(ofSystem('connect', code))).toBe(true);
    expect(isDatabaseUnavailable(Object.assign(new Error('no'), { driverError: ofSystem('connect', code) }))).toBe(
      true,
    );
    expect(isDatabaseUnavailable(new AggregateError([ofSystem('connect', code)]))).toBe(true);
  });

  it('is true of a server on an absent socket file', async () => {
    const error = await new Promise<NodeJS.ErrnoException>((resolve) =>
      connect('/tmp/no-such-folder/.s.PGSQL.5432').once('error', resolve),
    );
    // A copy, because the original is not an `Error` of Jest's realm.
    expect(isDatabaseUnavailable(ofSystem(error.syscall ?? '', error.code ?? ''))).toBe(true);
  });

  it('is true of a name that cannot be resolved', () => {
    expect(isDatabaseUnavailable(ofSystem('getaddrinfo', 'EMFILE'))).toBe(true);
  });

  it.each(['ENETDOWN', 'EHOSTDOWN', 'EPROTO', 'ENOBUFS', 'ENETRESET', 'ECONNRESET'])(
    'is true of %s, which only networks report',
    (code) => {
      expect(isDatabaseUnavailable(ofSystem('write', code))).toBe(true);
      expect(isDatabaseUnavailable(Object.assign(new Error('no'), { code }))).toBe(true);
    },
  );

  it('is true of a data source that is not connected', () => {
    expect(isDatabaseUnavailable(new Error('Driver not Connected'))).toBe(true);
  });

  it.each([
    ['open', 'ENOENT'],
    ['open', 'EMFILE'],
    ['open', 'EACCES'],
    ['scandir', 'ENOENT'],
    ['spawn', 'ENOENT'],
    ['write', 'ENOSPC'],
  ])('is false of a file: %s %s', (syscall, code) => {
    expect(isDatabaseUnavailable(ofSystem(syscall, code))).toBe(false);
  });

  it('is false of a socket of our own that cannot listen', () => {
    expect(isDatabaseUnavailable(ofSystem('listen', 'EACCES'))).toBe(false);
  });

  it.each(['22021', '23505', '40P01', '57000'])('is false of SQLSTATE %s', (code) => {
    expect(isDatabaseUnavailable(fromServer(code))).toBe(false);
  });
});
