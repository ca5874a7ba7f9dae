import type { EmailsFeature } from 'nestjs-emails';
import { Templates } from './templates.js';
import { Topics } from './topics.js';

/** The newsletter's own topics and templates for emails. */
export const newsletter: EmailsFeature = {
  name: 'newsletter',
  providers: [Topics, Templates],
  topicPolicy: Topics,
  templateSource: Templates,
};
