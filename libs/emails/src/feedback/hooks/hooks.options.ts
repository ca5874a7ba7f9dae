/** Relays that report bounces and complaints to `POST /hooks/:provider`. A relay that is not here answers 404. */
export interface HooksOptions {
  /** Amazon SES through SNS. */
  ses?: {
    /** ARNs of the topics whose messages count: anybody's topic is signed by Amazon. */
    topics: readonly string[];
  };
  /** Postmark. */
  postmark?: {
    /** `user:password`, as in the webhook's URL: Postmark signs nothing. 16 characters or more. */
    auth: string;
  };
  /** Mailgun, by https only. */
  mailgun?: {
    /** The HTTP webhook signing key of the account. */
    key: string;
  };
  /** SendGrid's signed event webhook. */
  sendgrid?: {
    /** The verification key that SendGrid shows, base64. */
    key: string;
  };
}
