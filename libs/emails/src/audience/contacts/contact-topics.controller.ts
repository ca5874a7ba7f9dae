import { Controller, Get, Patch } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { PageQueryDto } from '../../shared/http/page-query.dto.js';
import { CurrentCaller, RequestBody, RequestQuery } from '../../shared/routes/parameters.js';
import { checkRepeated } from '../../shared/validation/repeated.js';
import { byPage } from './by-page.js';
import type { ChosenTopicsDto } from './chosen-topics.dto.js';
import { ContactInPath } from './contact-in-path.js';
import type { ContactTopicListDto } from './contact-topic-list.dto.js';
import { ContactsService } from './contacts.service.js';
import { namesContact } from './names-contact.js';
import { topicChoicesOf } from './read-topic-choices.js';
import { refuseUnknownContact } from './refuse-unknown-contact.js';
import { TopicChoicesService } from './topic-choices.service.js';

/** `/contacts/:id_or_email/topics` (contract, section 5). */
@Controller('contacts/:idOrEmail/topics')
export class ContactTopicsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly choices: TopicChoicesService,
  ) {}

  @Get()
  @NeedsRole('viewer')
  async list(
    @CurrentCaller() { accountId }: Caller,
    @ContactInPath() idOrEmail: string,
    @RequestQuery() page: PageQueryDto,
  ): Promise<ContactTopicListDto> {
    const { id } = (await this.contacts.find(accountId, idOrEmail)) ?? refuseUnknownContact();
    return this.choices.list(accountId, id, page);
  }

  @Patch()
  @NeedsRole('admin')
  async choose(
    @CurrentCaller() caller: Caller,
    @ContactInPath() idOrEmail: string,
    @RequestBody({ mayBeArray: true }) body: object,
  ): Promise<ChosenTopicsDto> {
    const { topics, own } = topicChoicesOf(body);
    const { accountId } = caller;
    const contact = (await this.contacts.find(accountId, idOrEmail)) ?? refuseUnknownContact();
    checkRepeated(own, namesContact(contact));
    return (await this.choices.choose(accountId, contact.id, topics, byPage(caller))) ?? refuseUnknownContact();
  }
}
