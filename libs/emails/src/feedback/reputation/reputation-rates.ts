/** How many of an account's recipients bounced or complained. */
export interface ReputationRates {
  /** Recipients that it is counted over. */
  recipients: number;
  /** Bounces because of the address. */
  bounces: number;
  complaints: number;
  /** `bounces` of `recipients`: 0.02 is 2 %. */
  bounceRate: number;
  /** `complaints` of `recipients`. */
  complaintRate: number;
}

/** The rates of an account. With fewer recipients both are over all of them. */
export interface AccountReputation {
  accountId: string;
  /** Over its last 1,000 recipients. */
  recent: ReputationRates;
  /** Over its last 10,000 recipients. */
  longer: ReputationRates;
}

/** The consequence of an account's rates: nothing, an alarm, or an alarm and a hold of its emails. */
export type ReputationVerdict = 'nothing' | 'warn' | 'hold';
