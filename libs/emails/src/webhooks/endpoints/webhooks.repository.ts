import { Inject, Injectable, Optional } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ACTION_LOG, type ActionLog } from '../../shared/actions/action-log.js';
import { AccountRepository } from '../../shared/rows/account.repository.js';
import { WebhookEntity } from './webhook.entity.js';

/** The webhooks of the accounts. */
@Injectable()
export class WebhooksRepository extends AccountRepository<WebhookEntity> {
  constructor(
    @InjectRepository(WebhookEntity) rows: Repository<WebhookEntity>,
    @Optional() @Inject(ACTION_LOG) log?: ActionLog,
  ) {
    super(rows, log);
  }
}
