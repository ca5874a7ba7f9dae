import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccountRepository } from '../../shared/rows/account.repository.js';
import { TopicEntity } from './topic.entity.js';

/** The topics of the accounts. */
@Injectable()
export class TopicsRepository extends AccountRepository<TopicEntity> {
  constructor(@InjectRepository(TopicEntity) rows: Repository<TopicEntity>) {
    super(rows);
  }
}
