import { Module } from '@nestjs/common';
import { ContactTopicPolicy } from './contact-topic-policy.js';

/** The rule alone, without the routes: workers need it too. */
@Module({ providers: [ContactTopicPolicy], exports: [ContactTopicPolicy] })
export class TopicPolicyModule {}
