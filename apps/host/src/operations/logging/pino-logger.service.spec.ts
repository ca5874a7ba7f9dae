import { type Level, pino } from 'pino';
import { describeError } from '../../shared/errors/describe-error.js';
import { PinoLoggerService } from './pino-logger.service.js';

function setUp(level: Level = 'info') {
  const lines: string[] = [];
  const logger = pino({ level, serializers: { err: describeError } }, { write: (line) => lines.push(line) });
  return { service: new PinoLoggerService(logger), written: () => lines.map((line) => JSON.parse(line)) };
}

describe('PinoLoggerService', () => {
  it('names the component', () => {
    const { service, written } = setUp();
    service.log('Hello.', 'Greeter');
    expect(written()).toEqual([expect.objectContaining({ level: 30, context: 'Greeter', msg: 'Hello.' })]);
  });

  it('distinguishes a stack from a name and leaves out its message', () => {
    const { service, written } = setUp();
    const stack = 'Error: for bob@example.com\n    at somewhere (file.ts:1:2)';
    service.error('Failed.', stack, 'Worker');
    service.error('Failed.', stack);
    expect(written()).toEqual([
      expect.objectContaining({ context: 'Worker', stack: ['at somewhere (file.ts:1:2)'] }),
      expect.not.objectContaining({ context: expect.anything() }),
    ]);
    expect(JSON.stringify(written())).not.toContain('bob');
  });

  it('describes errors', () => {
    const { service, written } = setUp();
    service.error(Object.assign(new Error('for bob@example.com'), { severity: 'ERROR', code: '23505' }));
    expect(written()[0]).toMatchObject({ err: { type: 'Error', code: '23505' } });
    expect(JSON.stringify(written())).not.toContain('bob');
  });

  it('does not write objects out', () => {
    const { service, written } = setUp();
    service.log({ email: 'bob@example.com' }, { to: 'bob@example.com' });
    expect(JSON.stringify(written())).not.toContain('bob');
  });

  it('logs start messages of Nest at debug level', () => {
    const quiet = setUp();
    quiet.service.log('Mapped {/emails, POST} route', 'RouterExplorer');
    expect(quiet.written()).toEqual([]);
    const debugging = setUp('debug');
    debugging.service.log('Mapped {/emails, POST} route', 'RouterExplorer');
    expect(debugging.written()).toHaveLength(1);
  });
});
