import { UnsubscribeLimits } from './unsubscribe-limits.js';

const reader = { accountId: 'one', topicId: 't', address: 'jane@to.test' };
const refused = expect.objectContaining({
  statusCode: 429,
  headers: expect.objectContaining({ 'ratelimit-limit': '60' }),
});

const times = async (count: number, ask: () => Promise<void>) => {
  for (let time = 0; time < count; time++) await ask();
};

describe('UnsubscribeLimits', () => {
  it('count the valid links of a reader, in any spelling of the address', async () => {
    const limits = new UnsubscribeLimits();
    await times(60, () => limits.countReader(reader));
    await expect(limits.countReader({ ...reader, address: 'JANE@to.test' })).rejects.toEqual(refused);
    await limits.countReader({ ...reader, address: 'joe@to.test' });
    await limits.countReader({ ...reader, accountId: 'two' });
  });

  it('count wrong links of a network, and let its valid ones pass', async () => {
    const limits = new UnsubscribeLimits();
    await times(60, () => limits.countWrong('2001:db8::1'));
    await expect(limits.countWrong('2001:db8::2')).rejects.toEqual(refused);
    await limits.countWrong('2001:db8:0:1::1');
    await limits.countReader(reader);
  });
});
