/** Why a record does not count, or could be better. `docs/contract.md` has the table. */
export type AdviceCode = string;

/** One piece of advice, as it is stored. The sentence is made when it is read. */
export interface Advice {
  code: AdviceCode;
  /** The part of the record that it is about. Text of the domain's DNS, shortened. */
  detail?: string;
}
