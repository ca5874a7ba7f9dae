import { Inject, Injectable, Optional } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ACTION_LOG, type ActionLog } from '../../shared/actions/action-log.js';
import { AccountRepository } from '../../shared/rows/account.repository.js';
import { TopicEntity } from './topic.entity.js';

/** The topics of the accounts. */
@Injectable()
export class TopicsRepository extends AccountRepository<TopicEntity> {
  constructor(
    @InjectRepository(TopicEntity) rows: Repository<TopicEntity>,
    @Optional() @Inject(ACTION_LOG) log?: ActionLog,
  ) {
    super(rows, log);
  }
}
