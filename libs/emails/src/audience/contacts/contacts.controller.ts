import { Controller, Delete, Get, Patch, Post, SetMetadata } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { resourceLists } from '../../shared/http/large-answers.js';
import { CurrentCaller, RequestBody, RequestContext, RequestQuery } from '../../shared/routes/parameters.js';
import { MAX_WEIGHT } from '../../shared/rows/keyset-page.js';
import { byPage } from './by-page.js';
import type { ContactDto } from './contact.dto.js';
import { ContactInPath, noImports } from './contact-in-path.js';
import type { ContactListDto } from './contact-list.dto.js';
import { ContactsService } from './contacts.service.js';
import { CreateContactDto } from './create-contact.dto.js';
import { ListContactsQueryDto } from './list-contacts-query.dto.js';
import { refuseUnknownContact } from './refuse-unknown-contact.js';
import { UpdateContactDto } from './update-contact.dto.js';

/** `/contacts` (contract, section 5). */
@Controller('contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Post()
  @NeedsRole('admin')
  create(@CurrentCaller() caller: Caller, @RequestBody() contact: CreateContactDto): Promise<ContactDto> {
    return this.contacts.create(caller.accountId, contact, byPage(caller));
  }

  @Get()
  @NeedsRole('viewer')
  async list(
    @CurrentCaller() { accountId }: Caller,
    @RequestQuery() query: ListContactsQueryDto,
    @RequestContext() context: RequestContext,
  ): Promise<ContactListDto> {
    await context.makeRoom(resourceLists, MAX_WEIGHT);
    return this.contacts.list(accountId, query);
  }

  /**
   * A route of Resend alone. Without this line the path would be that of a contact, and answer other methods. Not for
   * Swagger.
   */
  @Post('imports')
  @SetMetadata('swagger/apiExcludeEndpoint', { disable: true })
  @NeedsRole('admin')
  imports(): never {
    throw noImports();
  }

  @Get(':idOrEmail')
  @NeedsRole('viewer')
  async find(@CurrentCaller() { accountId }: Caller, @ContactInPath() idOrEmail: string): Promise<ContactDto> {
    return (await this.contacts.find(accountId, idOrEmail)) ?? refuseUnknownContact();
  }

  @Patch(':idOrEmail')
  @NeedsRole('admin')
  async update(
    @CurrentCaller() caller: Caller,
    @ContactInPath() idOrEmail: string,
    @RequestBody() changes: UpdateContactDto,
  ): Promise<ContactDto> {
    const changed = await this.contacts.update(caller.accountId, idOrEmail, changes, byPage(caller));
    return changed ?? refuseUnknownContact();
  }

  @Delete(':idOrEmail')
  @NeedsRole('admin')
  async remove(@CurrentCaller() caller: Caller, @ContactInPath() idOrEmail: string) {
    const removed = await this.contacts.remove(caller.accountId, idOrEmail, byPage(caller));
    const id = removed ?? refuseUnknownContact();
    return { object: 'contact', id, contact: id, deleted: true };
  }
}
