import { Injectable } from '@nestjs/common';
import type { MetricsGauge, MetricsSource } from '../ports/metrics-source.js';

/** The gauges of all features, for a collector of metrics. */
@Injectable()
export class FeatureMetrics {
  /** @internal Made by `EmailsModule`. */
  constructor(private readonly sources: readonly MetricsSource[]) {}

  /** A failing source is left out: a missing number is better than an old one. */
  async gauges(): Promise<MetricsGauge[]> {
    const read = await Promise.allSettled(this.sources.map((source) => source.gauges()));
    return read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  }
}
