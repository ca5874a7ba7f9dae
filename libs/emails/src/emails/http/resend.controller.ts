import { Controller, HttpCode, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { CurrentCaller, IdempotencyKey, PathId, RequestBody, RequestContext } from '../../shared/routes/parameters.js';
import { ResendService } from '../send/resend/resend.service.js';
import { ResendEmailDto } from '../send/resend/resend-email.dto.js';

/** An email once more (contract, section 4.2). */
@Controller('emails/:id/resend')
export class ResendController {
  constructor(private readonly resends: ResendService) {}

  @Post()
  @HttpCode(200)
  @NeedsRole('support')
  async resend(
    @CurrentCaller() caller: Caller,
    @PathId() id: string,
    @RequestBody({ isOptional: true }) asked: ResendEmailDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @RequestContext() context: RequestContext,
  ): Promise<{ id: string }> {
    const sent = await this.resends.resend(caller.accountId, id, asked, { idempotencyKey, key: caller, caller });
    context.noteEmailId(sent.id);
    if (sent.replayed) context.replayed();
    return { id: sent.id };
  }
}
