import type { PublishedTemplate, TemplateSource } from '../../emails/ports/template-source.js';
import { brokenOf } from './contracts.spec-tools.js';
import { templateSourceContract } from './template-source.contract.js';

const WELCOME: PublishedTemplate = {
  from: 'Shop <hi@shop.test>',
  subject: 'Hi {{NAME}}',
  replyTo: ['help@shop.test'],
  html: '<p>{{NAME}}</p>',
  text: null,
  variables: [{ key: 'NAME', type: 'string', fallback: 'you' }],
};
const KNOWN = { accountId: 'one', ids: ['id', 'welcome'], otherAccountId: 'two' };
const FINDS = 'finds a published template by its id, and by its alias';
const FINDS_NOTHING = 'finds nothing by an unknown id of any form';

const broken = (find: TemplateSource['find'], known: Parameters<typeof templateSourceContract>[1] = KNOWN) =>
  brokenOf(templateSourceContract(() => ({ find }), known));
const has = (account: string, id: string) => account === 'one' && KNOWN.ids.includes(id);
const giving = (template: object) => async (account: string, id: string) =>
  has(account, id) ? ({ ...WELCOME, ...template } as PublishedTemplate) : undefined;

describe('templateSourceContract', () => {
  it('is kept by a correct source', async () => {
    expect(await broken(giving({}))).toEqual({});
    expect(await broken(giving({}), { ...KNOWN, template: WELCOME })).toEqual({});
    expect(
      await broken(async (_, id) => (has('one', id) ? WELCOME : undefined), { accountId: 'x', ids: ['id'] }),
    ).toEqual({});
  });

  it.each<[string, TemplateSource['find'], string]>([
    ['finds nothing', async () => undefined, FINDS],
    ['knows ids only', async (account, id) => (has(account, id) && id === 'id' ? WELCOME : undefined), FINDS],
    [
      'answers with null',
      async (account, id) => (has(account, id) ? WELCOME : account === 'one' ? (null as never) : undefined),
      FINDS_NOTHING,
    ],
    ['finds a template by any id', async (account) => (account === 'one' ? WELCOME : undefined), FINDS_NOTHING],
    [
      'reads inherited properties of an object',
      async (account, id) => (account === 'one' ? ({ id: WELCOME, welcome: WELCOME } as never)[id] : undefined),
      FINDS_NOTHING,
    ],
    [
      'fails for an invalid uuid',
      async (account, id) => {
        if (/\W/.test(id)) throw new Error('invalid input syntax for type uuid');
        return has(account, id) ? WELCOME : undefined;
      },
      FINDS_NOTHING,
    ],
    [
      'ignores the account',
      async (_, id) => (has('one', id) ? WELCOME : undefined),
      'keeps the templates of accounts apart',
    ],
  ])('is broken by one that %s', async (_, find, name) => {
    expect(Object.keys(await broken(find))).toEqual([name]);
  });

  it.each<[string, object, RegExp]>([
    ['an absent text', { text: undefined }, /`text` must be text or null/],
    ['a list as sender', { from: ['a@b.c'] }, /`from` must be text or null/],
    ['a text as `replyTo`', { replyTo: 'a@b.c' }, /`replyTo` must be a list/],
    ['no variables', { variables: null }, /`variables` must be a list/],
    ['a key with a blank', { variables: [{ ...WELCOME.variables[0], key: 'A B' }] }, /letters, digits/],
    ['a key twice', { variables: [WELCOME.variables[0], WELCOME.variables[0]] }, /twice/],
    ['an unknown type', { variables: [{ ...WELCOME.variables[0], type: 'date' }] }, /string or number/],
    [
      'a fallback of another type',
      { variables: [{ ...WELCOME.variables[0], fallback: 7 }] },
      /must be a string or null/,
    ],
    ['an absent fallback', { variables: [{ key: 'NAME', type: 'string' }] }, /must be a string or null/],
    ['an invalid placeholder', { html: '{{#each}}' }, /./],
  ])('is broken by a template with %s', async (_, template, complaint) => {
    expect((await broken(giving(template)))[FINDS]).toMatch(complaint);
  });

  it('is broken by a template that differs from the expected one', async () => {
    expect(await broken(giving({ subject: 'Ho' }), { ...KNOWN, template: WELCOME })).toHaveProperty([FINDS]);
  });
});
