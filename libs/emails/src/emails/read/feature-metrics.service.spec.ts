import { FeatureMetrics } from './feature-metrics.service.js';

describe('FeatureMetrics', () => {
  it('has the gauges of every source but one that fails', async () => {
    const gauge = (name: string) => ({ name, help: '', value: 1 });
    const metrics = new FeatureMetrics([
      { gauges: async () => [gauge('a'), gauge('b')] },
      { gauges: () => Promise.reject(new Error('away')) },
      { gauges: async () => [gauge('c')] },
    ]);
    expect((await metrics.gauges()).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });
});
