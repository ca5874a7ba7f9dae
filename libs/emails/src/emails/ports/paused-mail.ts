/** Mail that would leave if a pause ended now. */
export interface PausedMail {
  /** Emails; counted up to 100,000. */
  count: number;
  /** Accounts with most of them, up to 100. */
  accounts: readonly { accountId: string; count: number }[];
}
