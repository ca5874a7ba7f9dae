import type { DataSource, Repository } from 'typeorm';
import type { ContactEntity } from './contacts/contact.entity.js';
import { ContactsRepository } from './contacts/contacts.repository.js';
import { ContactsService } from './contacts/contacts.service.js';
import { TopicChoicesService } from './contacts/topic-choices.service.js';
import type { TopicEntity } from './topics/topic.entity.js';
import { TopicsRepository } from './topics/topics.repository.js';
import { TopicsService } from './topics/topics.service.js';

const ACCOUNT = 'acme';
const ID = '0192f0c1-2345-7abc-8def-0123456789ab';

/** A database that fails every query. */
const dataSource = {} as DataSource;
const topics = new TopicsService(new TopicsRepository({} as Repository<TopicEntity>));
const choices = new TopicChoicesService(dataSource, topics);
const contacts = new ContactsService(new ContactsRepository({} as Repository<ContactEntity>));

const refusal = (message: string) => ({ statusCode: 422, message: expect.stringContaining(message) });
const topic = { name: 'News', default_subscription: 'opt_in' } as const;

describe('TopicsService refuses by the rules of the routes', () => {
  it.each<[object, string]>([
    [{ ...topic, name: 'x'.repeat(1_000_000) }, '`name` must be one line of 1 to 50'],
    [{ ...topic, name: '' }, 'Missing `name`'],
    [{ ...topic, default_subscription: 'whatever' }, '`default_subscription` must be `opt_in` or `opt_out`'],
    [{ ...topic, description: 'a\0' }, '`description` contains NUL'],
    [{ ...topic, nmae: 'x' }, 'Did you mean `name`?'],
    [{ ...topic, visibility: 'secret' }, '`visibility` must be `public` or `private`'],
  ])('a creation: %.60j', async (values, message) => {
    await expect(topics.create(ACCOUNT, values as never)).rejects.toMatchObject(refusal(message));
  });

  it.each<[object, string]>([
    [{ name: 'a\nb' }, '`name` must be one line'],
    [{ default_subscription: 'opt_in' }, '`default_subscription` cannot be changed'],
    [{ id: ID.replace('0', '1') }, '`id` cannot be changed'],
  ])('a change: %j', async (values, message) => {
    await expect(topics.update(ACCOUNT, ID, values as never)).rejects.toMatchObject(refusal(message));
  });

  it.each([{ limit: 1e9 }, { limit: 0 }, { after: 'nope' }, { after: ID, before: ID }])('a page: %j', async (query) => {
    await expect(topics.list(ACCOUNT, query)).rejects.toMatchObject({ statusCode: 422 });
    await expect(contacts.list(ACCOUNT, query)).rejects.toMatchObject({ statusCode: 422 });
    await expect(choices.list(ACCOUNT, ID, query)).rejects.toMatchObject({ statusCode: 422 });
  });
});

describe('ContactsService refuses by the rules of the routes', () => {
  const email = 'a@to.test';

  it.each<[object, string]>([
    [{ email: 'nonsense' }, '`email` must be one address'],
    [{ email: 'Name <a@to.test>' }, '`email` must be one address'],
    [{}, 'Missing `email`'],
    [{ email, first_name: 'x'.repeat(256) }, '`first_name` must be one line'],
    [{ email, unsubscribed: 'yes' }, '`unsubscribed` must be true or false'],
    [{ email, properties: 'a' }, '`properties` must be an object of strings and numbers'],
    [{ email, properties: [1] }, '`properties` must be an object'],
    [{ email, properties: { a: Number.NaN } }, '`properties.a` must be a string of up to 2000 characters or a finite'],
    [{ email, properties: { a: 'x'.repeat(2_001) } }, '`properties.a` must be'],
    [{ email, properties: { a: { b: 1 } } }, '`properties.a` must be'],
    [{ email, properties: { 'a b': 1 } }, '`properties` takes keys of 1 to 50 letters'],
    [{ email, properties: { ['a'.repeat(51)]: 1 } }, '`properties` takes keys'],
    [
      { email, properties: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, n])) },
      'up to 100 properties',
    ],
    [{ email, audience_id: ID }, '`audience_id` must be left out. This server has no segments.'],
    [{ email, segments: [{ id: ID }] }, '`segments` must be left out. This server has no segments.'],
    [{ email, topics: [{ id: 'nope', subscription: 'opt_in' }] }, '`topics[0].id` must be the id of a topic'],
    [{ email, topics: [{ id: ID, subscription: 'no' }] }, '`topics[0].subscription` must be'],
    [
      { email, topics: [ID, ID].map((id) => ({ id, subscription: 'opt_in' })) },
      '`topics[1].id` is in the list already',
    ],
  ])('a creation: %.80j', async (values, message) => {
    await expect(contacts.create(ACCOUNT, values as never)).rejects.toMatchObject(refusal(message));
  });

  it.each<[object, string]>([
    [{ last_name: 'a\ud800' }, '`last_name` contains NUL or half'],
    [{ properties: { a: true } }, '`properties.a` must be a string'],
  ])('a change: %j', async (values, message) => {
    await expect(contacts.update(ACCOUNT, ID, values as never)).rejects.toMatchObject(refusal(message));
  });

  it('choices', async () => {
    const choose = choices.choose(ACCOUNT, ID, [{ id: 'nope', subscription: 'opt_in' }]);
    await expect(choose).rejects.toMatchObject(refusal('`topics[0].id` must be'));
    await expect(choices.list(ACCOUNT, 'nope')).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe.each(['', 'a\0', 'a'.repeat(256), 7 as unknown as string])('an account id such as %.9j', (account) => {
  it.each<[string, () => Promise<unknown>]>([
    ['topics.create', () => topics.create(account, topic)],
    ['topics.list', () => topics.list(account)],
    ['topics.find', () => topics.find(account, ID)],
    ['topics.update', () => topics.update(account, ID, {})],
    ['topics.remove', () => topics.remove(account, ID)],
    ['contacts.create', () => contacts.create(account, { email: 'a@to.test' })],
    ['contacts.list', () => contacts.list(account)],
    ['contacts.find', () => contacts.find(account, ID)],
    ['contacts.update', () => contacts.update(account, ID, {})],
    ['contacts.remove', () => contacts.remove(account, ID)],
    ['choices.list', () => choices.list(account, ID)],
    ['choices.choose', () => choices.choose(account, ID, [])],
  ])('is refused by %s', async (_, call) => {
    await expect(call()).rejects.toThrow(/^The account id must/);
  });
});
