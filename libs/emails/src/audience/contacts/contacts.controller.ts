import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Delete, Get, Patch, Post, SetMetadata } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { resourceLists } from '../../shared/http/large-answers.js';
import { pageQuery } from '../../shared/http/page-query.js';
import { ReadsJson, type RequestWithBody } from '../../shared/http/reads-json.js';
import { MAX_WEIGHT } from '../../shared/rows/keyset-page.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import { contactInPath, noImports } from './contact-in-path.js';
import { type ContactDetails, type ContactRecord, ContactsService, type NewContact } from './contacts.service.js';
import { refuseUnknownContact } from './refuse-unknown-contact.js';

/** What Resend filters the list by. */
const LACKING_FILTERS = { segment_id: 'segments', audience_id: 'segments' };

/** `/contacts` (contract, section 5). */
@Controller('contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Post()
  @ReadsJson()
  create(request: RequestWithBody<NewContact>): Promise<ContactRecord> {
    return this.contacts.create(accountOf(request), request.body);
  }

  @Get()
  async list(request: IncomingMessage, response: ServerResponse): Promise<ListEnvelope<ContactRecord>> {
    const accountId = accountOf(request);
    const page = pageQuery(request.url ?? '', LACKING_FILTERS);
    await resourceLists.makeRoom(MAX_WEIGHT, accountId, response);
    return this.contacts.list(accountId, page);
  }

  /** Resend's alone. Without this line, the path would be that of a contact, and answer to other methods. Not for Swagger. */
  @Post('imports')
  @SetMetadata('swagger/apiExcludeEndpoint', { disable: true })
  imports(): never {
    throw noImports();
  }

  @Get(':idOrEmail')
  async find(request: IncomingMessage): Promise<ContactRecord> {
    const idOrEmail = contactInPath(request);
    return (await this.contacts.find(accountOf(request), idOrEmail)) ?? refuseUnknownContact();
  }

  @Patch(':idOrEmail')
  @ReadsJson()
  async update(request: RequestWithBody<ContactDetails>): Promise<ContactRecord> {
    const idOrEmail = contactInPath(request);
    return (await this.contacts.update(accountOf(request), idOrEmail, request.body)) ?? refuseUnknownContact();
  }

  @Delete(':idOrEmail')
  async remove(request: IncomingMessage) {
    const idOrEmail = contactInPath(request);
    const removed = await this.contacts.remove(accountOf(request), idOrEmail);
    const id = removed ?? refuseUnknownContact();
    return { object: 'contact', id, contact: id, deleted: true };
  }
}
