import type { ServerResponse } from 'node:http';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { pathId } from '../../shared/http/path-parameter.js';
import { ReadsJson, type RequestWithBody } from '../../shared/http/reads-json.js';
import { ResendService } from '../send/resend/resend.service.js';
import { resendFields } from '../send/resend/resend-fields.js';
import { noteEmailId } from './email-id.js';

/** An email once more (contract, section 4.2). */
@Controller('emails/:id/resend')
export class ResendController {
  constructor(private readonly resends: ResendService) {}

  @Post()
  @HttpCode(200)
  @ReadsJson({ isOptional: true })
  async resend(request: RequestWithBody, response: ServerResponse): Promise<{ id: string }> {
    const key = request.headers['idempotency-key'] as string | undefined;
    const asked = resendFields.read(request.body);
    const { id, replayed } = await this.resends.resend(accountOf(request), pathId(request), asked, key);
    noteEmailId(request, id);
    if (replayed) response.setHeader('idempotent-replayed', 'true');
    return { id };
  }
}
