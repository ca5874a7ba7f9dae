import type { IncomingMessage } from 'node:http';
import { Body, Controller, Post, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import { EmailsService, IdempotencyKey, JsonBodyInterceptor, SendEmailDto, type SentEmailDto } from 'nestjs-emails';
import { ApiKeyGuard, accountOf } from '../api-key.guard.js';

/** Emails by a route of this host, whose body its own pipe checks with the library's class. */
@Controller('letters')
@UseGuards(ApiKeyGuard)
@UseInterceptors(JsonBodyInterceptor)
export class LettersController {
  constructor(private readonly emails: EmailsService) {}

  @Post()
  send(
    @Req() request: IncomingMessage,
    @Body() email: SendEmailDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
  ): Promise<SentEmailDto> {
    return this.emails.send(accountOf(request), email, { idempotencyKey });
  }
}
