import { emailsDatabase } from './emails-database.js';

const audience = () => ({ name: 'audience' });

describe('emailsDatabase', () => {
  it('leaves extensions to the host, whose own tables may need them', () => {
    expect(emailsDatabase()).not.toHaveProperty('installExtensions');
  });

  it.each<[string, object, string]>([
    [
      'an uncalled feature',
      { features: [audience] },
      '`features[0]` must be a feature (got a function): call `audience()`',
    ],
    ['a misspelt option', { feature: [audience()] }, 'did you mean `features`?'],
    ['a hole', { entities: [undefined] }, '`entities[0]` must be a class (got undefined)'],
    ['no flag', { core: 'no' }, '`core` must be true or false'],
  ])('refuses %s', (_, given, message) => {
    expect(() => emailsDatabase(given)).toThrow(message);
  });
});
