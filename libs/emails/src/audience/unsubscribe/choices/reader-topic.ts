/** A topic on the page of choices. */
export interface ReaderTopic {
  /** A UUID. */
  id: string;
  name: string;
  description: string | null;
  /** True if the reader gets its emails. */
  isSubscribed: boolean;
  /** True for the topic of the email whose link was followed. */
  isOfEmail: boolean;
}

/** The choices of a reader, as far as the page shows them. */
export interface ReaderState {
  /** The topic of the email first, then by name. Up to 100: public ones, and private ones that the reader gets. */
  topics: readonly ReaderTopic[];
  /** True if the reader gets no email of any topic. */
  isOutOfAll: boolean;
}
