import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccountRepository } from '../../shared/rows/account.repository.js';
import { ContactEntity } from './contact.entity.js';

/** The contacts of the accounts. */
@Injectable()
export class ContactsRepository extends AccountRepository<ContactEntity> {
  constructor(@InjectRepository(ContactEntity) rows: Repository<ContactEntity>) {
    super(rows);
  }
}
