import { Inject, Injectable, Optional } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ACTION_LOG, type ActionLog } from '../../shared/actions/action-log.js';
import { AccountRepository } from '../../shared/rows/account.repository.js';
import { ContactEntity } from './contact.entity.js';

/** The contacts of the accounts. */
@Injectable()
export class ContactsRepository extends AccountRepository<ContactEntity> {
  constructor(
    @InjectRepository(ContactEntity) rows: Repository<ContactEntity>,
    @Optional() @Inject(ACTION_LOG) log?: ActionLog,
  ) {
    super(rows, log);
  }
}
