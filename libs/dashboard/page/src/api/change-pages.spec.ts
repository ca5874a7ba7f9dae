import { changed } from './change-pages';

const page = (...ids: string[]) => ({
  object: 'list' as const,
  has_more: true,
  data: ids.map((id) => ({ id, name: id })),
});
const pages = { pages: [page('a', 'b'), page('c')], pageParams: [undefined, 'b'] };
const namesOf = (change: Parameters<typeof changed<{ id: string; name: string }>>[1]) =>
  changed(pages, change).pages.map(({ data }) => data.map(({ name }) => name));

describe('changed', () => {
  it('replaces a saved row', () => {
    expect(namesOf({ saved: { id: 'c', name: 'new' } })).toEqual([['a', 'b'], ['new']]);
  });

  it('adds a created row at the top', () => {
    expect(namesOf({ made: { id: 'd', name: 'd' } })).toEqual([['d', 'a', 'b'], ['c']]);
  });

  it('removes a deleted row', () => {
    expect(namesOf({ goneId: 'a' })).toEqual([['b'], ['c']]);
  });
});
