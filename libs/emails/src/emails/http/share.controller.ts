import { Controller, HttpCode, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { CurrentCaller, PathId, RequestBody } from '../../shared/routes/parameters.js';
import { ShareEmailDto } from '../read/share-email.dto.js';
import type { SharedEmailDto } from '../read/shared-email.dto.js';
import { SharingService } from '../read/sharing.service.js';

/** A link to a page that shows an email (contract, section 3.3). */
@Controller('emails/:id/share')
export class ShareController {
  constructor(private readonly sharing: SharingService) {}

  @Post()
  @HttpCode(200)
  @NeedsRole('support')
  share(
    @CurrentCaller() caller: Caller,
    @PathId() id: string,
    @RequestBody({ isOptional: true }) options: ShareEmailDto,
  ): Promise<SharedEmailDto> {
    return this.sharing.share(caller.accountId, id, options, caller);
  }
}
