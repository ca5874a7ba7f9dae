import type { IncomingMessage } from 'node:http';
import { All, Body, Controller, Delete, Get, Param, Patch, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiError, type Caller, JsonBodyInterceptor, type ListEnvelope, readPageQuery } from 'nestjs-emails';
import { FullAccess } from '../../access/auth/full-access.decorator.js';
import { CurrentCaller } from '../../access/callers/current-caller.decorator.js';
import { BodyPipe } from '../../shared/http/body.pipe.js';
import { PatchPipe } from '../../shared/http/patch.pipe.js';
import { type ContactRecord, ContactsService } from './contacts.service.js';
import { CreateContactDto } from './create-contact.dto.js';
import { readTopicChoices } from './read-topic-choices.js';
import { refuseUnknownContact } from './refuse-unknown-contact.js';
import { UpdateContactDto } from './update-contact.dto.js';

/** `/contacts` (contract, section 5). */
@FullAccess()
@Controller('contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Post()
  @UseInterceptors(JsonBodyInterceptor)
  async create(
    @CurrentCaller() { accountId }: Caller,
    @Body(BodyPipe) { email, first_name, last_name, unsubscribed, topics = [] }: CreateContactDto,
  ): Promise<ContactRecord> {
    const choices = await readTopicChoices(topics);
    return this.contacts.create(accountId, email, { first_name, last_name, unsubscribed }, choices);
  }

  @Get()
  list(@CurrentCaller() { accountId }: Caller, @Req() request: IncomingMessage): Promise<ListEnvelope<ContactRecord>> {
    return this.contacts.list(accountId, readPageQuery(request.url ?? ''));
  }

  @Get(':idOrEmail')
  async find(@CurrentCaller() { accountId }: Caller, @Param('idOrEmail') idOrEmail: string): Promise<ContactRecord> {
    return (await this.contacts.find(accountId, idOrEmail)) ?? refuseUnknownContact();
  }

  @Patch(':idOrEmail')
  @UseInterceptors(JsonBodyInterceptor)
  async update(
    @CurrentCaller() { accountId }: Caller,
    @Param('idOrEmail') idOrEmail: string,
    @Body(PatchPipe) { first_name, last_name, unsubscribed }: UpdateContactDto,
  ): Promise<ContactRecord> {
    const details = { first_name, last_name, unsubscribed: unsubscribed ?? undefined };
    return (await this.contacts.update(accountId, idOrEmail, details)) ?? refuseUnknownContact();
  }

  @Delete(':idOrEmail')
  async remove(@CurrentCaller() { accountId }: Caller, @Param('idOrEmail') idOrEmail: string) {
    const removed = await this.contacts.remove(accountId, idOrEmail);
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
