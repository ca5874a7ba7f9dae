import { QueryFailedError } from 'typeorm';
import { errorReport } from './error-report.js';

const SECRET = 'jane@example.com';

/** As node-postgres has it. */
const ofDatabase = () =>
  Object.assign(new Error(`duplicate key (${SECRET})\n    at ${SECRET}:1:1`), { severity: 'ERROR', code: '23505' });

/** As nodemailer has it. */
const ofSmtp = () =>
  Object.assign(new Error(`550-5.1.1 <${SECRET}> unknown`), {
    code: 'EENVELOPE',
    response: `550-5.1.1 <${SECRET}> unknown`,
    responseCode: 550,
    command: 'RCPT TO',
  });

describe('errorReport', () => {
  it('reports kind, message and location of an error and of its causes', () => {
    const cause = Object.assign(new TypeError('No tenant.'), { code: 'E_TENANT' });
    const lines = errorReport(new Error('The resolver failed.', { cause })).split('\n');
    expect(lines[0]).toBe('Error: The resolver failed.');
    expect(lines[1]).toMatch(/^ {4}at .*error-report\.spec/);
    expect(lines).toContain('Caused by TypeError E_TENANT: No tenant.');
  });

  it.each<[string, () => unknown, RegExp]>([
    ['the database', ofDatabase, /^Error 23505$/m],
    ['TypeORM', () => new QueryFailedError('SELECT $1', [SECRET], ofDatabase()), /^QueryFailedError 23505$/m],
    ['an SMTP server', ofSmtp, /^Error EENVELOPE 550-5\.1\.1$/m],
    ['a parser', () => attempt(() => JSON.parse(`{"${SECRET}`)), /^SyntaxError$/m],
    ['a path', () => attempt(() => decodeURIComponent(`${SECRET}%FF`)), /^URIError$|Error: URI malformed$/m],
    ['one of several', () => new AggregateError([ofSmtp(), ofDatabase()], 'None.'), /^Caused by Error 23505$/m],
    ['a cause', () => new Error(`Of ${SECRET}.`, { cause: ofDatabase() }), /^Caused by Error 23505$/m],
    [
      'a cause whose message it quotes',
      () => {
        const cause = ofDatabase();
        return new Error(`It failed: ${cause.message}`, { cause });
      },
      /^Caused by Error 23505$/m,
    ],
    [
      'a cause far down whose message it quotes',
      () => {
        const cause = ofDatabase();
        const chain = Array.from({ length: 9 }).reduce<Error>(
          (inner) => new Error('Between.', { cause: inner }),
          cause,
        );
        return new Error(`It failed: ${cause.message}`, { cause: chain });
      },
      /^Error$/m,
    ],
  ])('omits the text that %s quotes, and reports kind and location', (_, make, kind) => {
    const report = errorReport(make());
    expect(report).toMatch(kind);
    expect(report).toMatch(/^ {4}at .*:\d+:\d+/m);
    expect(report).not.toContain(SECRET);
  });

  it('accepts any thrown value', () => {
    expect(errorReport('no tenant')).toBe('A text was thrown: no tenant');
    expect(errorReport(null)).toBe('A value that is not an error was thrown: null.');
    expect(errorReport({ message: SECRET })).toBe('A value that is not an error was thrown: object.');
    const trap = new Proxy(new Error(SECRET), { get: fail, has: fail });
    expect(errorReport(trap)).toBe('A value was thrown that cannot be looked at.');
  });

  it('ends on circular causes', () => {
    const [one, other] = [new Error('one'), new Error('other')];
    one.cause = other;
    other.cause = one;
    expect(errorReport(one).match(/^Caused by|^Error/gm)).toHaveLength(2);
  });
});

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

function fail(): never {
  throw new Error('trap');
}
