import { Module } from '@nestjs/common';
import { featureModule } from '../shared/features/feature-module.js';
import { ContactEraser } from './contacts/contact-eraser.js';
import { ContactTopicPolicy } from './contacts/contact-topic-policy.js';
import { ContactTopicsController } from './contacts/contact-topics.controller.js';
import { ContactsController } from './contacts/contacts.controller.js';
import { ContactsService } from './contacts/contacts.service.js';
import { TopicChoicesService } from './contacts/topic-choices.service.js';
import { audienceMigrations } from './migrations/index.js';
import { TopicsController } from './topics/topics.controller.js';
import { TopicsService } from './topics/topics.service.js';

/**
 * Topics, contacts and what they chose: `/topics` and `/contacts`. Import it with `forRoot` or `forRootAsync`, beside
 * `TypeOrmModule` (with `audienceEntities` and `audienceMigrations`), and give `ContactTopicPolicy` and `ContactEraser` to `EmailsModule`.
 */
@Module({})
export class AudienceModule extends featureModule({
  name: 'AudienceModule',
  controllers: [TopicsController, ContactsController, ContactTopicsController],
  services: [TopicsService, TopicChoicesService, ContactsService, ContactTopicPolicy, ContactEraser],
  migrations: audienceMigrations,
}) {}
