import { afterChange, valuesOfDraft } from './drafts';

const saved = { name: 'News', description: '' };

describe('a draft', () => {
  it('overlays the changes on the saved values', () => {
    const kept = afterChange(saved, undefined, { name: 'Newer' });
    expect(kept).toEqual({ base: saved, changed: { name: 'Newer' } });
    expect(valuesOfDraft(saved, kept)).toEqual({ name: 'Newer', description: '' });
  });

  it('ends when all values are equal to the saved ones', () => {
    const kept = afterChange(saved, undefined, { name: 'Newer' });
    expect(afterChange(saved, kept, { name: 'News' })).toBeUndefined();
  });

  it('follows saves of others in untouched fields', () => {
    const kept = afterChange(saved, undefined, { name: 'Newer' });
    const savedByOthers = { name: 'News', description: 'Weekly' };
    expect(valuesOfDraft(savedByOthers, kept)).toEqual({ name: 'Newer', description: 'Weekly' });
    expect(afterChange(savedByOthers, kept, { description: 'Daily' })?.base).toEqual(saved);
  });

  it('compares lists by content', () => {
    const rows = { rows: [{ key: 'a' }] };
    expect(afterChange(rows, undefined, { rows: [{ key: 'a' }] })).toBeUndefined();
  });
});
