import { Module } from '@nestjs/common';
import { AuthModule } from '../../access/auth/auth.module.js';
import { TopicsModule } from '../topics/topics.module.js';
import { ContactTopicsController } from './contact-topics.controller.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';
import { TopicChoicesService } from './topic-choices.service.js';

@Module({
  imports: [AuthModule, TopicsModule],
  controllers: [ContactsController, ContactTopicsController],
  providers: [ContactsService, TopicChoicesService],
})
export class ContactsModule {}
