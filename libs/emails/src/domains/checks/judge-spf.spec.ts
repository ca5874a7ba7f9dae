import { judgeSpf } from './judge-spf.js';

const judge = (...found: string[]) => judgeSpf(['ip4:192.0.2.1', 'include:Spf.relay.test'], found);

describe('judgeSpf', () => {
  it.each([
    'v=spf1 ip4:192.0.2.1 include:spf.relay.test ~all',
    'v=spf1 include:spf.relay.test +ip4:192.0.2.1 a mx',
    'V=SPF1  IP4:192.0.2.1   INCLUDE:SPF.RELAY.TEST  -all',
  ])('finds our mechanisms among others: %s', (text) => {
    expect(judge(text)).toEqual({ isRight: true, advice: [] });
    expect(judge('other=1', text)).toMatchObject({ isRight: true });
  });

  it.each([
    ['v=spf1 include:spf.relay.test ~all', [{ code: 'spf_lacks', detail: 'ip4:192.0.2.1' }]],
    ['v=spf1 -ip4:192.0.2.1 include:spf.relay.test', [{ code: 'spf_lacks', detail: 'ip4:192.0.2.1' }]],
    ['v=spf1 ip4:192.0.2.10 include:spf.relay.test', [{ code: 'spf_lacks', detail: 'ip4:192.0.2.1' }]],
    ['v=spf1 include:spf.relay.test ?all ip4:192.0.2.1', [{ code: 'spf_after_all', detail: 'ip4:192.0.2.1' }]],
    ['v=spf10 ip4:192.0.2.1 include:spf.relay.test', [{ code: 'no_spf' }]],
    ['spf2.0/pra ip4:192.0.2.1', [{ code: 'no_spf' }]],
    ['"v=spf1 ip4:192.0.2.1 ~all"', [{ code: 'quoted' }]],
  ])('does not count %s', (text, advice) => {
    expect(judge(text)).toEqual({ isRight: false, advice });
  });

  it('counts no record next to a second one', () => {
    expect(judge('v=spf1 ~all', 'v=spf1')).toEqual({ isRight: false, advice: [{ code: 'several_spf', detail: '2' }] });
  });

  it('warns of more than ten lookups', () => {
    const lookups = Array.from({ length: 10 }, (_, n) => `include:n${n}.test`).join(' ');
    const record = `v=spf1 ip4:192.0.2.1 include:spf.relay.test ${lookups} ~all`;
    expect(judge(record)).toEqual({ isRight: true, advice: [{ code: 'spf_too_many' }] });
  });
});
