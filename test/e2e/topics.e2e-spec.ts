import { Resend } from 'resend';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';
import { expectRefused, invalid, missing, type Refusal } from '../support/rules/refusals.js';
import { followsTheRulesOfResources } from '../support/rules/resource-rules.js';

const NEWS = { name: 'News', description: 'What is new', default_subscription: 'opt_in' };

describe('/topics', () => {
  let host: RunningHost;

  beforeAll(async () => {
    ({ host } = await shareHost());
  });

  async function create(fields: object = NEWS): Promise<Record<string, unknown> & { id: string }> {
    const { status, body } = await host.request<{ id: string }>('POST', '/topics', { body: fields });
    expect(status).toBe(201);
    return body;
  }

  followsTheRulesOfResources(() => host, {
    path: '/topics',
    object: 'topic',
    table: 'nestjs_emails.topics',
    body: (n) => ({ ...NEWS, name: `News ${n}` }),
    required: 'name',
    misspelt: ['descripton', 'description'],
    change: { name: 'Other news' },
    hasNames: false,
    repeats: 'topic_id',
    kept: { name: 'Kept', description: 'kept', visibility: 'public' },
    more: [],
  });

  it('accepts a topic without description', async () => {
    for (const empty of [{}, { description: null }, { description: '' }]) {
      expect(await create({ name: 'Plain', default_subscription: 'opt_out', ...empty })).toEqual({
        object: 'topic',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Plain',
        description: null,
        default_subscription: 'opt_out',
        visibility: 'private',
        created_at: expect.any(String),
      });
    }
  });

  it('is public if set, and can be changed', async () => {
    const { id, visibility } = await create({ ...NEWS, visibility: 'public' });
    expect(visibility).toBe('public');
    const patch = async (body: object) => (await host.request('PATCH', `/topics/${id}`, { body })).body;
    expect(await patch({ visibility: null })).toMatchObject({ visibility: 'public' });
    expect(await patch({ visibility: 'private' })).toMatchObject({ visibility: 'private' });
    expect(await create({ ...NEWS, visibility: '' })).toMatchObject({ visibility: 'private' });
  });

  it('counts characters, not code units', async () => {
    const fields = { name: '🗞'.repeat(50), description: '📰'.repeat(200), default_subscription: 'opt_in' };
    expect(await create(fields)).toMatchObject(fields);
  });

  it.each<[string, object, Refusal]>([
    ['no name', { name: undefined }, missing('name')],
    ['a blank name', { name: '  ' }, invalid('`name`')],
    ['a name of 51 characters', { name: 'x'.repeat(51) }, invalid('`name`')],
    ['a name of two lines', { name: 'a\nb' }, invalid('`name`')],
    ['a name that is a number', { name: 7 }, invalid('`name`')],
    ['a description of 201 characters', { description: 'x'.repeat(201) }, invalid('`description`')],
    ['a description that is a list', { description: ['x'] }, invalid('`description`')],
    ['NUL', { description: 'a\0b' }, invalid('`description`')],
    ['half of a surrogate pair', { description: 'a\ud800b' }, invalid('`description`')],
    ['no default', { default_subscription: undefined }, missing('default_subscription')],
    ['a default of another kind', { default_subscription: 'maybe' }, invalid('`default_subscription`')],
    ['a default that is true', { default_subscription: true }, invalid('`default_subscription`')],
    ['another visibility', { visibility: 'secret' }, invalid('`visibility`')],
    ['an id', { id: '00000000-0000-4000-8000-000000000000' }, invalid('`id`')],
  ])('refuses to create with %s', async (_, fields, refusal) => {
    await expectRefused(host, ['POST', '/topics', { body: { ...NEWS, ...fields } }], refusal, ['nestjs_emails.topics']);
  });

  it.each<[string, object, Refusal]>([
    ['a name of 51 characters', { name: 'x'.repeat(51) }, invalid('`name`')],
    ['a description of 201 characters', { description: 'x'.repeat(201) }, invalid('`description`')],
    ['another default', { default_subscription: 'opt_out' }, invalid('`default_subscription` cannot be changed')],
    ['the same default', { default_subscription: 'opt_in' }, invalid('`default_subscription` cannot be changed')],
    ['another id', { id: '00000000-0000-4000-8000-000000000000' }, invalid('`id`')],
    ['created_at', { created_at: '2026-01-01' }, invalid('`created_at`')],
  ])('refuses to change %s', async (_, fields, refusal) => {
    const { id } = await create();
    await expectRefused(host, ['PATCH', `/topics/${id}`, { body: { name: 'New', ...fields } }], refusal, [
      'nestjs_emails.topics',
    ]);
  });

  it('changes only named fields', async () => {
    const topic = await create();
    const patch = async (body: object) => (await host.request('PATCH', `/topics/${topic.id}`, { body })).body;
    expect(await patch({ name: 'Older news' })).toEqual({ ...topic, name: 'Older news' });
    expect(await patch({ description: null })).toEqual({ ...topic, name: 'Older news', description: null });
    expect(await patch({ id: topic.id, description: 'Back', name: '' })).toEqual({
      ...topic,
      name: 'Older news',
      description: 'Back',
    });
    expect(await patch({})).toMatchObject({ name: 'Older news', description: 'Back' });
  });

  it('serves the official client', async () => {
    const { topics } = new Resend(host.token, { baseUrl: host.url });
    const created = await topics.create({ name: 'By client', description: 'd', defaultSubscription: 'opt_out' });
    const id = created.data?.id ?? '';
    expect(created.error).toBeNull();
    expect((await topics.get(id)).data).toMatchObject({ id, name: 'By client', default_subscription: 'opt_out' });
    expect((await topics.update({ id, name: 'Changed' })).data).toMatchObject({ id });
    expect((await topics.get(id)).data).toMatchObject({ name: 'Changed', description: 'd' });
    expect((await topics.list()).data?.data).toContainEqual(expect.objectContaining({ id, name: 'Changed' }));
    expect((await topics.remove(id)).data).toEqual({ object: 'topic', id, deleted: true });
    expect((await topics.get(id)).error).toMatchObject({ statusCode: 404, name: 'not_found' });
  });
});
