import { ALL, pageQuery, readPageQuery, toPageRequest } from './page-query.js';

const ID = '0192f0c1-2345-7abc-8def-0123456789ab';

describe('readPageQuery', () => {
  it('defaults to the newest twenty and ignores unknown parameters', () => {
    expect(readPageQuery('/emails')).toEqual({ limit: 20 });
    expect(readPageQuery('/emails?colour=red')).toEqual({ limit: 20 });
  });

  it('reads limit and cursors', () => {
    expect(readPageQuery(`/emails?limit=100&after=${ID}`)).toEqual({
      limit: 100,
      cursor: { direction: 'older', id: ID },
    });
    expect(readPageQuery(`/emails?before=${ID}&limit=1`)).toEqual({ limit: 1, cursor: { direction: 'newer', id: ID } });
  });

  it.each(['0', '101', '-1', '+5', '1.5', '1e2', '0x10', 'abc', '', '%205', '1000', '٥'])(
    'refuses limit=%s',
    (limit) => {
      expect(() => readPageQuery(`/emails?limit=${limit}`)).toThrow('`limit` must be a whole number from 1 to 100');
    },
  );

  it.each(['limit=5&limit=6', 'limit[]=5', 'after[0]=x'])('refuses a repeated parameter: %s', (query) => {
    expect(() => readPageQuery(`/emails?${query}`)).toThrow('must be given once');
  });

  it('refuses malformed ids and both cursors', () => {
    expect(() => readPageQuery('/emails?after=nope')).toThrow('`after` must be the id');
    expect(() => readPageQuery('/emails?before=')).toThrow('`before` must be the id');
    expect(() => readPageQuery(`/emails?after=${ID}&before=${ID}`)).toThrow('not both');
  });

  it('gives everything where a list does, unless a limit is named', () => {
    expect(toPageRequest({ after: ID }, ALL)).toEqual({ limit: 1_000, cursor: { direction: 'older', id: ID } });
    expect(toPageRequest({ limit: 20 }, ALL)).toEqual({ limit: 20 });
    expect(() => toPageRequest({ limit: 1_000 }, ALL)).toThrow('`limit` must be a whole number from 1 to 100');
  });

  it.each(['segment_id=x', 'segment_id[]=x', 'segment_id=x&segment_id=x'])('refuses the filter %s', (query) => {
    expect(() => pageQuery(`/contacts?${query}`, { segment_id: 'segments' })).toThrow('`segment_id` must be');
  });

  it('takes a filter that is empty', () => {
    expect(pageQuery('/contacts?segment_id=&limit=5', { segment_id: 'segments' })).toMatchObject({ limit: '5' });
  });
});
