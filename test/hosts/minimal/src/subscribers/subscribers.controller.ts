import type { IncomingMessage } from 'node:http';
import { Body, ConflictException, Controller, Post, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import { EmailsService, JsonBodyInterceptor } from 'nestjs-emails';
import { DataSource } from 'typeorm';
import { ApiKeyGuard, accountOf } from '../api-key.guard.js';
import { SubscribeDto } from './subscribe.dto.js';
import { SubscriberEntity } from './subscriber.entity.js';

@Controller('subscribers')
@UseGuards(ApiKeyGuard)
@UseInterceptors(JsonBodyInterceptor)
export class SubscribersController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly emails: EmailsService,
  ) {}

  /** Either there is a subscriber and a welcome is on its way, or there is neither. */
  @Post()
  subscribe(@Req() request: IncomingMessage, @Body() { address }: SubscribeDto): Promise<{ welcome: string }> {
    const account = accountOf(request);
    return this.dataSource.transaction(async (manager) => {
      const known = await manager.existsBy(SubscriberEntity, { account, address });
      if (known) throw new ConflictException('This address is subscribed.');
      await manager.insert(SubscriberEntity, { account, address });
      const template = { id: 'welcome', variables: { ADDRESS: address } };
      const { id } = await this.emails.send(account, { to: address, template }, { transaction: manager });
      return { welcome: id };
    });
  }
}
