/** A host's violation of `BUDGET`, and the requests and jobs that were in progress. */
export interface Finding {
  kind: 'tick' | 'peak' | 'kept';
  amount: number;
  limit: number;
  /** By name: their number, or the growth of memory meanwhile in megabytes. */
  during: Record<string, number | string>;
}
