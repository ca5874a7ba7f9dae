import { ALL, PageQueryDto } from './page-query.dto.js';
import { toPageRequest } from './page-query.js';
import { queryOf } from './query.js';

const ID = '0192f0c1-2345-7abc-8def-0123456789ab';
const read = (url: string) => toPageRequest(queryOf(PageQueryDto, url));

describe('the page of a URL', () => {
  it('has the newest twenty by default; unknown parameters are ignored', () => {
    expect(read('/emails')).toEqual({ limit: 20 });
    expect(read('/emails?colour=red')).toEqual({ limit: 20 });
  });

  it('has limit and cursors', () => {
    expect(read(`/emails?limit=100&after=${ID}`)).toEqual({
      limit: 100,
      cursor: { direction: 'older', id: ID },
    });
    expect(read(`/emails?before=${ID}&limit=1`)).toEqual({ limit: 1, cursor: { direction: 'newer', id: ID } });
  });

  it.each(['0', '101', '-1', '+5', '1.5', '1e2', '0x10', 'abc', '', '%205', '1000', '٥'])(
    'is refused with limit=%s',
    (limit) => {
      expect(() => read(`/emails?limit=${limit}`)).toThrow('`limit` must be a whole number from 1 to 100');
    },
  );

  it.each(['limit=5&limit=6', 'limit[]=5', 'after[0]=x'])('is refused with a repeated parameter: %s', (query) => {
    expect(() => read(`/emails?${query}`)).toThrow('must be given once');
  });

  it('is refused with malformed ids and both cursors', () => {
    expect(() => read('/emails?after=nope')).toThrow('`after` must be the id');
    expect(() => read('/emails?before=')).toThrow('`before` must be the id');
    expect(() => read(`/emails?after=${ID}&before=${ID}`)).toThrow('not both');
  });

  it('is everything for an unlimited list, unless there is a limit', () => {
    expect(toPageRequest({ after: ID }, ALL)).toEqual({ limit: 1_000, cursor: { direction: 'older', id: ID } });
    expect(toPageRequest({ limit: 20 }, ALL)).toEqual({ limit: 20 });
    expect(() => toPageRequest({ limit: 1_000 }, ALL)).toThrow('`limit` must be a whole number from 1 to 100');
  });
});
