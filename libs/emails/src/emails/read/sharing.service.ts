import { ApiError } from '../../shared/errors/api-error.js';
import { optional } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { passes } from '../../shared/validation/rule.js';
import type { AttachmentStore } from '../storage/attachment.repository.js';
import { LINK_KINDS } from './links/link-token.js';
import type { Links } from './links/links.js';
import { LONGEST_SHARE, shareTime } from './share-time.js';

/** What `POST /emails/:id/share` may say. */
export interface ShareOptions {
  /** How long the link lives, such as `10m`, `2 hours` or `1 day`. Default and longest: 48 hours. */
  expires_in?: string | null | undefined;
}

/** An email that anybody with the link can read. */
export interface SharedEmailRecord {
  object: 'email';
  id: string;
  url: string;
}

const shareFields = new Fields({
  expires_in: optional(
    passes(
      (value): value is string => typeof value === 'string' && shareTime(value) !== undefined,
      'must be a duration such as `10m`, `2 hours` or `1 day`, up to 48 hours',
    ),
  ),
});

/** Makes links to pages that show an email. */
export class SharingService {
  constructor(
    private readonly repository: AttachmentStore,
    private readonly links: Links,
  ) {}

  /** @throws ApiError 404 without the email, 422 for a time that is none, or where no link can be made */
  async share(accountId: string, id: string, options: ShareOptions): Promise<SharedEmailRecord> {
    const { expires_in } = readValues(options, shareFields);
    const lifetime = expires_in === undefined ? LONGEST_SHARE : shareTime(expires_in);
    if (!(await this.repository.one(accountId, id, 0))) throw ApiError.notFound('Email not found');
    const wanted = { kind: LINK_KINDS.sharedEmail, accountId, emailId: id };
    return { object: 'email', id: id.toLowerCase(), url: this.links.make(wanted, this.links.expiry(lifetime)) };
  }
}
