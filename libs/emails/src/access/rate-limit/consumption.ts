/** Result of counting a request. */
export interface Consumption {
  allowed: boolean;
  /** Further requests in this window. */
  remaining: number;
  /** Until the next window. */
  msBeforeNext: number;
}
