import { checkOptions, mountOf } from './dashboard.options.check.js';
import type { EmailsDashboardOptions } from './dashboard.options.js';

class Guard {
  canActivate(): boolean {
    return true;
  }
}
const never = () => {
  throw new Error('Nobody is asked for.');
};
const keys = { identifyKey: never, callerOfKey: never };
const accountResolver = { resolve: never };

describe('checkOptions', () => {
  it.each<[EmailsDashboardOptions, object]>([
    [{ keys }, {}],
    [{ keys, secretKeys: ['x'.repeat(32)], publicUrl: 'https://a.test/b' }, { path: '/a/b-c_d.e' }],
    [{ keys, environment: 'test', accountName: async () => undefined }, {}],
    [{ keys, secretKeys: [] }, { guards: [] }],
    [{ accountResolver }, { guards: [Guard] }],
  ])('takes %#', (options, extras) => {
    expect(() => checkOptions(options, extras)).not.toThrow();
  });

  it.each<[RegExp, unknown, object]>([
    [/`keys` is missing/, undefined, {}],
    [/`keys` is missing/, { accountResolver }, { guards: [] }],
    [/only one of/, { keys }, { guards: [Guard] }],
    [/`accountResolver` is missing/, {}, { guards: [Guard] }],
    [/must have `identifyKey`/, { keys: {} }, {}],
    [/32 characters or more/, { keys, secretKeys: ['x'.repeat(31)] }, {}],
    [/32 characters or more/, { keys, secretKeys: [undefined] }, {}],
    [/`publicUrl` must be/, { keys, publicUrl: 'a.test' }, {}],
    [/`publicUrl` must be/, { keys, publicUrl: 'javascript:alert(1)' }, {}],
    [/`environment` must be/, { keys, environment: 5 }, {}],
    [/`accountName` must be/, { keys, accountName: 'acme' }, {}],
    [/`path` must begin/, { keys }, { path: '' }],
    [/`path` must begin/, { keys }, { path: '/' }],
    [/`path` must begin/, { keys }, { path: 'a' }],
    [/`path` must begin/, { keys }, { path: '/a/' }],
    [/`path` must begin/, { keys }, { path: '//a.test' }],
    [/`path` must begin/, { keys }, { path: '/a"><script>' }],
    [/`path` must begin/, { keys }, { path: '/a; Domain=a.test' }],
    [/`path` must begin/, { keys }, { path: '/..' }],
    [/`path` must begin/, { keys }, { path: '/a/./b' }],
    [/`path` must begin/, { keys }, { path: '/a\n' }],
  ])('reports the problem: %s', (problem, options, extras) => {
    expect(() => checkOptions(options as EmailsDashboardOptions, extras)).toThrow(problem);
  });

  it('reports all problems at once', () => {
    expect(() => checkOptions({ publicUrl: 'x' }, { path: 'y' })).toThrow(/`keys`.*`publicUrl`.*`path`/);
  });
});

describe('mountOf', () => {
  it('is at the given or the default path', () => {
    expect([mountOf(), mountOf('/a')]).toEqual(['/dashboard', '/a']);
  });
});
