import { queryOf, readQuery } from '../../shared/http/query.js';
import { ListContactsQueryDto } from './list-contacts-query.dto.js';

const read = (url: string) => readQuery(ListContactsQueryDto, { ...queryOf(ListContactsQueryDto, url) });

describe('ListContactsQueryDto', () => {
  it.each(['segment_id=x', 'segment_id[]=x', 'segment_id=x&segment_id=x', 'audience_id=x'])('refuses %s', (query) => {
    expect(() => read(`/contacts?${query}`)).toThrow(/^`(segment|audience)_id` must be/);
  });

  it('accepts an empty filter', () => {
    expect(read('/contacts?segment_id=&limit=5')).toMatchObject({ limit: '5', segment_id: undefined });
  });
});
