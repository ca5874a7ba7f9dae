import type { IncomingMessage } from 'node:http';
import { Controller, Get, Patch } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { pageQuery } from '../../shared/http/page-query.js';
import { ReadsJson, type RequestWithBody } from '../../shared/http/reads-json.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import { checkRepeated } from '../../shared/validation/repeated.js';
import { contactInPath } from './contact-in-path.js';
import { ContactsService } from './contacts.service.js';
import { namesContact } from './names-contact.js';
import { topicChoicesOf } from './read-topic-choices.js';
import { refuseUnknownContact } from './refuse-unknown-contact.js';
import { type ChosenTopics, type ContactTopicRecord, TopicChoicesService } from './topic-choices.service.js';

/** `/contacts/:id_or_email/topics` (contract, section 5). */
@Controller('contacts/:idOrEmail/topics')
export class ContactTopicsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly choices: TopicChoicesService,
  ) {}

  @Get()
  async list(request: IncomingMessage): Promise<ListEnvelope<ContactTopicRecord>> {
    const idOrEmail = contactInPath(request);
    const accountId = accountOf(request);
    const page = pageQuery(request.url ?? '');
    const { id } = (await this.contacts.find(accountId, idOrEmail)) ?? refuseUnknownContact();
    return this.choices.list(accountId, id, page);
  }

  @Patch()
  @ReadsJson({ mayBeArray: true })
  async choose(request: RequestWithBody): Promise<ChosenTopics> {
    const accountId = accountOf(request);
    const { topics, own } = topicChoicesOf(request.body);
    const contact = (await this.contacts.find(accountId, contactInPath(request))) ?? refuseUnknownContact();
    checkRepeated(own, namesContact(contact));
    return (await this.choices.choose(accountId, contact.id, topics)) ?? refuseUnknownContact();
  }
}
