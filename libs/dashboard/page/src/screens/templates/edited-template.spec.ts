import type { Template } from '../../api/types';
import { changesOf, toEdited } from './edited-template';

const TEMPLATE: Template = {
  id: 'a',
  name: 'Welcome',
  alias: null,
  status: 'draft',
  from: 'a@a.test',
  subject: 'Hi {{NAME}}',
  reply_to: ['b@a.test', 'c@a.test'],
  html: '<p>{{NAME}}</p>',
  text: null,
  variables: [{ id: 'v', key: 'NAME', type: 'string', fallback_value: null }],
  sensitive: false,
  created_at: '',
  updated_at: '',
  published_at: null,
  current_version_id: null,
  has_unpublished_versions: true,
};

describe('changesOf', () => {
  const before = toEdited(TEMPLATE);

  it('is empty without a change', () => {
    expect(changesOf(before, { ...before, replyTo: ' b@a.test\n\nc@a.test\n' })).toEqual({});
  });

  it('clears emptied fields, and sends only changed ones', () => {
    expect(
      changesOf(before, { ...before, from: '', replyTo: '', text: 'x', alias: 'welcome', sensitive: true }),
    ).toEqual({
      from: null,
      reply_to: null,
      text: 'x',
      alias: 'welcome',
      sensitive: true,
    });
  });

  it('declares found variables, with numbers as numbers', () => {
    const after = {
      ...before,
      html: '<p>{{NAME}} {{CITY}}</p>',
      variables: [{ key: 'NAME', type: 'number' as const, fallback: '4' }],
    };
    expect(changesOf(before, after).variables).toEqual([
      { key: 'NAME', type: 'number', fallback_value: 4 },
      { key: 'CITY', type: 'string', fallback_value: null },
    ]);
  });
});
