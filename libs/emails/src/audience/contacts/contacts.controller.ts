import type { IncomingMessage } from 'node:http';
import { All, Controller, Delete, Get, Patch, Post, Req, UseInterceptors } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { JsonBodyInterceptor, type RequestWithBody } from '../../shared/http/json-body.interceptor.js';
import { readPageQuery } from '../../shared/http/page-query.js';
import { pathParameter } from '../../shared/http/path-parameter.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import { readChanges } from '../../shared/validation/read-fields.js';
import { contactChanges, newContact } from './contact.fields.js';
import { type ContactRecord, ContactsService } from './contacts.service.js';
import { readTopicChoices } from './read-topic-choices.js';
import { refuseUnknownContact } from './refuse-unknown-contact.js';

/** `/contacts` (contract, section 5). */
@Controller('contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Post()
  @UseInterceptors(JsonBodyInterceptor)
  async create(@Req() request: RequestWithBody): Promise<ContactRecord> {
    const { email, topics = [], ...details } = newContact.read(request.body);
    return this.contacts.create(accountOf(request), email, details, readTopicChoices(topics));
  }

  @Get()
  list(@Req() request: IncomingMessage): Promise<ListEnvelope<ContactRecord>> {
    return this.contacts.list(accountOf(request), readPageQuery(request.url ?? ''));
  }

  @Get(':idOrEmail')
  async find(@Req() request: IncomingMessage): Promise<ContactRecord> {
    const idOrEmail = pathParameter(request, 'idOrEmail');
    return (await this.contacts.find(accountOf(request), idOrEmail)) ?? refuseUnknownContact();
  }

  @Patch(':idOrEmail')
  @UseInterceptors(JsonBodyInterceptor)
  async update(@Req() request: RequestWithBody): Promise<ContactRecord> {
    const idOrEmail = pathParameter(request, 'idOrEmail');
    const { first_name, last_name, unsubscribed } = readChanges(request.body, contactChanges);
    const details = { first_name, last_name, unsubscribed: unsubscribed ?? undefined };
    return (await this.contacts.update(accountOf(request), idOrEmail, details)) ?? refuseUnknownContact();
  }

  @Delete(':idOrEmail')
  async remove(@Req() request: IncomingMessage) {
    const idOrEmail = pathParameter(request, 'idOrEmail');
    const removed = await this.contacts.remove(accountOf(request), idOrEmail);
    return { object: 'contact', id: removed ?? refuseUnknownContact(), deleted: true };
  }

  @All()
  otherOnList(): never {
    throw ApiError.methodNotAllowed(['GET', 'POST']);
  }

  @All(':idOrEmail')
  otherOnContact(): never {
    throw ApiError.methodNotAllowed(['GET', 'PATCH', 'DELETE']);
  }
}
