/** What a host did beyond `BUDGET`, and the requests and jobs that were in progress. */
export interface Finding {
  kind: 'tick' | 'peak' | 'kept';
  amount: number;
  limit: number;
  /** By name: how many, or by how many megabytes memory grew meanwhile. */
  during: Record<string, number | string>;
}
