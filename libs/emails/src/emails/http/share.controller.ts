import { Controller, HttpCode, Post } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { pathId } from '../../shared/http/path-parameter.js';
import { ReadsJson, type RequestWithBody } from '../../shared/http/reads-json.js';
import { type SharedEmailRecord, type ShareOptions, SharingService } from '../read/sharing.service.js';

/** A link to a page that shows an email (contract, section 3.3). */
@Controller('emails/:id/share')
export class ShareController {
  constructor(private readonly sharing: SharingService) {}

  @Post()
  @HttpCode(200)
  @ReadsJson({ isOptional: true })
  share(request: RequestWithBody<ShareOptions>): Promise<SharedEmailRecord> {
    return this.sharing.share(accountOf(request), pathId(request), request.body);
  }
}
