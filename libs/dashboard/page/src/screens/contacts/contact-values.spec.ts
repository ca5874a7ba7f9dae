import { bodyOf, changesOf, NEW_CONTACT } from './contact-values';

const base = {
  ...NEW_CONTACT,
  email: 'jane@example.com',
  first_name: 'Jane',
  properties: [{ key: 'plan', type: 'string' as const, value: 'pro' }],
};

describe('changesOf', () => {
  it('contains only changed fields', () => {
    expect(changesOf(base, { ...base, last_name: 'Doe' })).toEqual({ last_name: 'Doe' });
    expect(changesOf(base, { ...base, unsubscribed: true })).toEqual({ unsubscribed: true });
  });

  it('clears names by null', () => {
    expect(changesOf(base, { ...base, first_name: '' })).toEqual({ first_name: null });
  });

  it('contains only changed properties', () => {
    expect(changesOf(base, { ...base, properties: [] })).toEqual({ properties: { plan: null } });
  });
});

it('makes a contact from the filled-in fields', () => {
  expect(bodyOf({ ...NEW_CONTACT, email: ' a@example.com ' })).toEqual({ email: 'a@example.com' });
  expect(bodyOf(base)).toEqual({ email: 'jane@example.com', first_name: 'Jane', properties: { plan: 'pro' } });
});
