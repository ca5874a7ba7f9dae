import { Inject, Injectable, Optional } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ACTION_LOG, type ActionLog } from '../shared/actions/action-log.js';
import { AccountRepository } from '../shared/rows/account.repository.js';
import { TemplateEntity } from './template.entity.js';

/** The templates of the accounts. */
@Injectable()
export class TemplatesRepository extends AccountRepository<TemplateEntity> {
  constructor(
    @InjectRepository(TemplateEntity) rows: Repository<TemplateEntity>,
    @Optional() @Inject(ACTION_LOG) log?: ActionLog,
  ) {
    super(rows, log);
  }
}
