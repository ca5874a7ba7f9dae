import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccountRepository } from '../../shared/rows/account.repository.js';
import { WebhookEntity } from './webhook.entity.js';

/** The webhooks of the accounts. */
@Injectable()
export class WebhooksRepository extends AccountRepository<WebhookEntity> {
  constructor(@InjectRepository(WebhookEntity) rows: Repository<WebhookEntity>) {
    super(rows);
  }
}
