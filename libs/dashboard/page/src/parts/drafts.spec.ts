import { afterChange, valuesOfDraft } from './drafts';

const saved = { name: 'News', description: '' };

describe('a draft', () => {
  it('holds what was changed, over what is saved', () => {
    const kept = afterChange(saved, undefined, { name: 'Newer' });
    expect(kept).toEqual({ base: saved, changed: { name: 'Newer' } });
    expect(valuesOfDraft(saved, kept)).toEqual({ name: 'Newer', description: '' });
  });

  it('ends when everything is as it was', () => {
    const kept = afterChange(saved, undefined, { name: 'Newer' });
    expect(afterChange(saved, kept, { name: 'News' })).toBeUndefined();
  });

  it('leaves to others what nobody touched here', () => {
    const kept = afterChange(saved, undefined, { name: 'Newer' });
    const savedByOthers = { name: 'News', description: 'Weekly' };
    expect(valuesOfDraft(savedByOthers, kept)).toEqual({ name: 'Newer', description: 'Weekly' });
    expect(afterChange(savedByOthers, kept, { description: 'Daily' })?.base).toEqual(saved);
  });

  it('compares lists by what is in them', () => {
    const rows = { rows: [{ key: 'a' }] };
    expect(afterChange(rows, undefined, { rows: [{ key: 'a' }] })).toBeUndefined();
  });
});
