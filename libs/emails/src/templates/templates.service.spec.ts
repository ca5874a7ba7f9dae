import type { Repository } from 'typeorm';
import type { TemplateEntity } from './template.entity.js';
import { TemplatesRepository } from './templates.repository.js';
import { TemplatesService } from './templates.service.js';

const ACCOUNT = 'acme';
const ALIAS = 'welcome';

/** A database that fails every query. */
const templates = new TemplatesService(new TemplatesRepository({} as Repository<TemplateEntity>));

const refusal = (message: string) => ({ statusCode: 422, message: expect.stringContaining(message) });

describe('TemplatesService refuses by the rules of the routes', () => {
  it.each<[object, string]>([
    [{}, 'Missing `name`'],
    [{ name: 'x', from: 'not a mailbox' }, '`from` must be one mailbox'],
    [{ name: 'x', subject: 'a\nb' }, '`subject` must not contain line breaks'],
    [{ name: 'x', html: 'a\0' }, '`html` contains NUL'],
    [{ name: 'x', html: `{{${'X'.repeat(60)}}}` }, '`html` cannot be used as it is'],
    [{ name: 'x', reply_to: ['a@to.test', 'b'] }, '`reply_to` must be one mailbox'],
    [{ name: 'x', variables: [{ key: 'A', type: 'date' }] }, '`variables[0].type` must be'],
    [
      { name: 'x', variables: [{ key: 'UNSUBSCRIBE_URL', type: 'string' }] },
      '`variables[0].key` must not be one of FIRST_NAME',
    ],
    [{ name: 'x', object: 'template' }, '`object` is not a field'],
  ])('a creation: %j', async (values, message) => {
    await expect(templates.create(ACCOUNT, values as never)).rejects.toMatchObject(refusal(message));
  });

  it('a change', async () => {
    const values = { alias: 'not an alias' };
    await expect(templates.update(ACCOUNT, ALIAS, values)).rejects.toMatchObject(refusal('`alias` must have'));
  });

  it('a page', async () => {
    await expect(templates.list(ACCOUNT, { limit: 1e9 })).rejects.toMatchObject(refusal('`limit` must be'));
  });

  it.each<[string, (account: string) => Promise<unknown>]>([
    ['create', (account) => templates.create(account, { name: 'x' })],
    ['list', (account) => templates.list(account)],
    ['find', (account) => templates.find(account, ALIAS)],
    ['update', (account) => templates.update(account, ALIAS, {})],
    ['publish', (account) => templates.publish(account, ALIAS)],
    ['duplicate', (account) => templates.duplicate(account, ALIAS)],
    ['remove', (account) => templates.remove(account, ALIAS)],
  ])('an invalid account id, in %s', async (_, call) => {
    for (const account of ['', 'a\0', 'a'.repeat(256)]) {
      await expect(call(account)).rejects.toThrow(/^The account id must/);
    }
  });
});
