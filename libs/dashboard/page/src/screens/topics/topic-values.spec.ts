import { changesOf, NEW_TOPIC } from './topic-values';

const base = { ...NEW_TOPIC, name: 'News', description: 'Weekly' };

describe('changesOf', () => {
  it('contains only changed fields', () => {
    expect(changesOf(base, { ...base, name: 'Newer' })).toEqual({ name: 'Newer' });
    expect(changesOf(base, { ...base, visibility: 'public' })).toEqual({ visibility: 'public' });
  });

  it('clears a description by null', () => {
    expect(changesOf(base, { ...base, description: '' })).toEqual({ description: null });
  });

  it('never contains the default, which is fixed', () => {
    expect(changesOf(base, { ...base, default_subscription: 'opt_out' })).toEqual({});
  });
});
