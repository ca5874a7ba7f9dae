import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { ACTION_LOG, type ActionLog } from '../../shared/actions/action-log.js';
import type { Caller } from '../../shared/callers/caller.js';
import type { PageQueryDto } from '../../shared/http/page-query.dto.js';
import { toPageRequest } from '../../shared/http/page-query.js';
import type { RowKey } from '../../shared/rows/account.repository.js';
import { asId } from '../../shared/rows/account-row.js';
import { findRows } from '../../shared/rows/find-rows.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { TopicsService } from '../topics/topics.service.js';
import type { ChosenTopicsDto } from './chosen-topics.dto.js';
import { ContactEntity } from './contact.entity.js';
import { contactKey } from './contact-key.js';
import type { ContactTopicListDto } from './contact-topic-list.dto.js';
import { readTopicChoices } from './read-topic-choices.js';
import { refuseUnknownContact } from './refuse-unknown-contact.js';
import type { TopicChoiceDto } from './topic-choice.dto.js';
import { TopicChoiceEntity } from './topic-choice.entity.js';
import { writeTopicChoices } from './write-topic-choices.js';

/**
 * The contacts' choices on topics, by the rules of `/contacts/:id/topics`. A value that breaks a rule is refused with
 * an `ApiError`, an invalid account id with a `TypeError`.
 *
 * @example
 * ```ts
 * const topics = await app.get(TopicsService).list('acme');
 * const choices = topics.data.map(({ id }) => ({ id, subscription: 'opt_out' as const }));
 * await app.get(TopicChoicesService).choose('acme', 'jane@example.com', choices);
 * ```
 */
@Injectable()
export class TopicChoicesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly topics: TopicsService,
    @Optional() @Inject(ACTION_LOG) private readonly log?: ActionLog,
  ) {}

  /**
   * Every topic of the account, with the choice of one contact of the account.
   *
   * @throws ApiError 404 for a text that cannot be the id of a contact, 422 when the cursor is no topic of the account
   */
  async list(accountId: string, contactId: string, query: PageQueryDto = {}): Promise<ContactTopicListDto> {
    checkAccountId(accountId);
    toPageRequest(query);
    if (!asId(contactId)) refuseUnknownContact();
    const topics = await this.topics.list(accountId, query);
    const topicId = In(topics.data.map(({ id }) => id));
    const choices = await onMaster(this.dataSource, (manager) =>
      findRows(manager.getRepository(TopicChoiceEntity), { where: { contactId, topicId } }),
    );
    const chosen = new Map(choices.map((choice) => [choice.topicId, choice.subscription]));
    const data = topics.data.map(({ id, name, description, default_subscription, created_at }) => ({
      id,
      name,
      description,
      subscription: chosen.get(id) ?? default_subscription,
      created_at,
    }));
    return { ...topics, data };
  }

  /**
   * Writes choices, all or none. Topics that are not named keep their choices.
   *
   * @returns undefined when there is no such contact
   * @throws ApiError 422 for a topic that the account does not have
   */
  async choose(
    accountId: string,
    idOrEmail: string,
    choices: readonly TopicChoiceDto[],
    caller?: Caller,
  ): Promise<ChosenTopicsDto | undefined> {
    checkAccountId(accountId);
    const known = readTopicChoices(choices);
    return this.dataSource.transaction(async (manager) => {
      const id = await lockContact(manager, accountId, contactKey(idOrEmail));
      if (id === undefined) return undefined;
      const chosen = await writeTopicChoices(manager, accountId, id, known);
      if (caller && known.length > 0)
        await this.log?.record(caller, { action: 'contact.update_topics', ids: [id] }, manager);
      const topics = chosen.map((topic, at) => ({
        id: topic.id,
        name: topic.name,
        description: topic.description,
        subscription: known[at]?.subscription ?? topic.defaultSubscription,
        created_at: topic.createdText,
      }));
      return { object: 'contact_topics', id, contact_id: id, topics };
    });
  }
}

/** The id of the contact, which is locked until the transaction ends. */
async function lockContact(
  manager: EntityManager,
  accountId: string,
  key: RowKey<ContactEntity>,
): Promise<string | undefined> {
  if (!key) return undefined;
  const [contact] = await findRows(manager.getRepository(ContactEntity), {
    select: { id: true },
    where: { ...key, accountId },
    lock: { mode: 'for_key_share' },
  });
  return contact?.id;
}
