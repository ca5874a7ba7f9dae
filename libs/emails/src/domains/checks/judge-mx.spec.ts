import { judgeMx } from './judge-mx.js';

const judge = (...exchanges: string[]) =>
  judgeMx(
    'mx.relay.test',
    exchanges.map((exchange) => ({ exchange, priority: 10 })),
    'shop.example.com',
  );

describe('judgeMx', () => {
  it.each(['mx.relay.test', 'MX.Relay.Test', 'mx.relay.test.'])('finds %s', (exchange) => {
    expect(judge(exchange)).toEqual({ isRight: true, advice: [] });
  });

  it('needs no other server to be removed', () => {
    expect(judge('a.test', 'mx.relay.test')).toEqual({
      isRight: true,
      advice: [{ code: 'mx_others', detail: 'a.test' }],
    });
  });

  it.each([
    ['', 'null_mx'],
    ['a.test', 'other_mx'],
    ['mx.relay.test.shop.example.com', 'mx_doubled'],
    ['mx.relay.test.example.com', 'mx_doubled'],
    ['10 mx.relay.test', 'mx_priority'],
    ['10\\032mx.relay.test', 'mx_priority'],
  ])('says what is wrong with %j', (exchange, code) => {
    expect(judge(exchange)).toMatchObject({ isRight: false, advice: [{ code }] });
  });

  it('finds nothing', () => expect(judge()).toEqual({ isRight: false, advice: [{ code: 'not_found' }] }));
});
