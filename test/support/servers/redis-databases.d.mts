export declare function leaseRedisDatabase(
  url: string,
  runId: string,
): Promise<{ url: string; release(): Promise<void> }>;

export declare function releaseRedisDatabases(url: string, runId: string): Promise<void>;
