import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccountRepository } from '../shared/rows/account.repository.js';
import { TemplateEntity } from './template.entity.js';

/** The templates of the accounts. */
@Injectable()
export class TemplatesRepository extends AccountRepository<TemplateEntity> {
  constructor(@InjectRepository(TemplateEntity) rows: Repository<TemplateEntity>) {
    super(rows);
  }
}
