import { ApiKeyEntity, ApiKeysRepository, ApiKeysService } from 'nestjs-emails/access';
import {
  ContactEntity,
  ContactsRepository,
  ContactsService,
  TopicEntity,
  TopicsRepository,
  TopicsService,
} from 'nestjs-emails/audience';
import { TemplateEntity, TemplatesRepository, TemplatesService } from 'nestjs-emails/templates';
import type { DataSource } from 'typeorm';

/*
 * Services of the library on a data source of a test, without an application.
 */

export const apiKeysOf = (source: DataSource) =>
  new ApiKeysService(new ApiKeysRepository(source.getRepository(ApiKeyEntity)));
export const contactsOf = (source: DataSource) =>
  new ContactsService(new ContactsRepository(source.getRepository(ContactEntity)));
export const topicsOf = (source: DataSource) =>
  new TopicsService(new TopicsRepository(source.getRepository(TopicEntity)));
export const templatesOf = (source: DataSource) =>
  new TemplatesService(new TemplatesRepository(source.getRepository(TemplateEntity)));
