import { readRecipients } from './release-request.js';

describe('readRecipients', () => {
  it('returns each address once', () => {
    expect(readRecipients({ to: ['a@to.test', 'b@tö.test', 'a@to.test'] })).toEqual(['a@to.test', 'b@tö.test']);
  });

  it.each([
    undefined,
    null,
    [],
    {},
    { to: 'a@to.test' },
    { to: [] },
    { to: Array(51).fill('a@to.test') },
    { to: [7] },
    { to: ['a'] },
    { to: ['a@to.test>\r\nDATA'] },
    { to: ['a@to.test\r\nRCPT TO:<b@to.test>'] },
    { to: ['Ann <a@to.test>'] },
    { to: ['a b@to.test'] },
    { to: ['a@to.test\0'] },
    { to: [`${'a'.repeat(65)}@to.test`] },
    { to: ['a@b@'] },
    { to: ['a@@to.test'] },
    { to: ['a@to.test,b@to.test'] },
    { to: ['a;b@to.test'] },
    { to: ['\ud800@to.test'] },
  ])('refuses %j', (body) => {
    expect(() => readRecipients(body)).toThrow(/^`to/);
  });
});
