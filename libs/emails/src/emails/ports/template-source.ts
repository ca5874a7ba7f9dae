/** A variable that a template declares. */
export interface TemplateVariable {
  key: string;
  type: 'string' | 'number';
  /** Used when the request gives no value. `null`: the request must give one. */
  fallback: string | number | null;
}

/** The published version of a template. Placeholders are `{{KEY}}` (escaped in html) and `{{{KEY}}}` (as it is). */
export interface PublishedTemplate {
  /** Kept with its emails, so that a pause finds them. Default: the id or alias that the request has. */
  id?: string | undefined;
  from: string | null;
  subject: string | null;
  replyTo: readonly string[];
  html: string | null;
  text: string | null;
  variables: readonly TemplateVariable[];
  /** Whether its emails are sensitive, unless the request says otherwise. Default: no. */
  sensitive?: boolean | undefined;
}

/** Published templates, stored by the host. */
export interface TemplateSource {
  /** Finds by id or alias within the account; `undefined` when there is none or it was never published. */
  find(accountId: string, idOrAlias: string): Promise<PublishedTemplate | undefined>;
}
