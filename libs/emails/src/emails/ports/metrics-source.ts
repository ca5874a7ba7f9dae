/** A gauge. */
export interface MetricsGauge {
  /** Such as `webhook_events_waiting`: letters, digits and `_`. */
  name: string;
  help: string;
  value: number;
}

/** Gauges of a feature, read by `FeatureMetrics` on each collection. */
export interface MetricsSource {
  /** Every process reports the same value: use the maximum over processes, not the sum. */
  gauges(): Promise<readonly MetricsGauge[]>;
}
