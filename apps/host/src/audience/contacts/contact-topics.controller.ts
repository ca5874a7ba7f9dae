import type { IncomingMessage } from 'node:http';
import { All, Body, Controller, Get, Param, Patch, Req, UseInterceptors } from '@nestjs/common';
import {
  AllowArrayBody,
  ApiError,
  type Caller,
  JsonBodyInterceptor,
  type ListEnvelope,
  readPageQuery,
} from 'nestjs-emails';
import { FullAccess } from '../../access/auth/full-access.decorator.js';
import { CurrentCaller } from '../../access/callers/current-caller.decorator.js';
import { contactKey } from './contact-key.js';
import { ContactsService } from './contacts.service.js';
import { refuseUnknownContact } from './refuse-unknown-contact.js';
import { TopicChoicesPipe } from './topic-choices.pipe.js';
import { type ContactTopicRecord, type TopicChoice, TopicChoicesService } from './topic-choices.service.js';

/** `/contacts/:id_or_email/topics` (contract, section 5). */
@FullAccess()
@Controller('contacts/:idOrEmail/topics')
export class ContactTopicsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly choices: TopicChoicesService,
  ) {}

  @Get()
  async list(
    @CurrentCaller() { accountId }: Caller,
    @Param('idOrEmail') idOrEmail: string,
    @Req() request: IncomingMessage,
  ): Promise<ListEnvelope<ContactTopicRecord>> {
    const page = readPageQuery(request.url ?? '');
    const { id } = (await this.contacts.find(accountId, idOrEmail)) ?? refuseUnknownContact();
    return this.choices.list(accountId, id, page);
  }

  @Patch()
  @AllowArrayBody()
  @UseInterceptors(JsonBodyInterceptor)
  async choose(
    @CurrentCaller() { accountId }: Caller,
    @Param('idOrEmail') idOrEmail: string,
    @Body(TopicChoicesPipe) choices: TopicChoice[],
  ): Promise<{ id: string }> {
    const id = await this.choices.choose(accountId, contactKey(idOrEmail), choices);
    return { id: id ?? refuseUnknownContact() };
  }

  @All()
  other(): never {
    throw ApiError.methodNotAllowed(['GET', 'PATCH']);
  }
}
