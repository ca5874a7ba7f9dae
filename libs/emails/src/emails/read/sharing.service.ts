import { Inject, Injectable, Optional } from '@nestjs/common';
import { ACTION_LOG, type ActionLog } from '../../shared/actions/action-log.js';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { AttachmentRepository, type AttachmentStore } from '../storage/read/attachment.repository.js';
import { LINK_KINDS } from './links/link-token.js';
import { Links } from './links/links.js';
import { ShareEmailDto } from './share-email.dto.js';
import { LONGEST_SHARE, shareTime } from './share-time.js';
import type { SharedEmailDto } from './shared-email.dto.js';

/** Makes links to pages that show an email. */
@Injectable()
export class SharingService {
  constructor(
    @Inject(AttachmentRepository) private readonly repository: AttachmentStore,
    private readonly links: Links,
    @Optional() @Inject(ACTION_LOG) private readonly log?: ActionLog,
  ) {}

  /** @throws ApiError 404 without the email, 422 for a sensitive one, for an invalid time, or where no link can be made */
  async share(accountId: string, id: string, options: ShareEmailDto, caller?: Caller): Promise<SharedEmailDto> {
    const { expires_in } = readValues(options, ShareEmailDto);
    const lifetime = expires_in ? shareTime(expires_in) : LONGEST_SHARE;
    const isSensitive = await this.repository.isSensitive(accountId, id);
    if (isSensitive === undefined) throw ApiError.notFound('Email not found');
    if (isSensitive) throw ApiError.invalid('This email cannot be shared: it is sensitive.');
    const wanted = { kind: LINK_KINDS.sharedEmail, accountId, emailId: id };
    const url = this.links.make(wanted, this.links.expiry(lifetime));
    if (caller) await this.log?.record(caller, { action: 'email.share', ids: [id.toLowerCase()] });
    return { object: 'email', id: id.toLowerCase(), url };
  }
}
