import { Injectable } from '@nestjs/common';
import type { PublishedTemplate, TemplateSource } from 'nestjs-emails';

const TEMPLATES: Record<string, PublishedTemplate> = {
  welcome: {
    from: 'Newsletter <news@example.com>',
    subject: 'Welcome, {{ADDRESS}}',
    replyTo: [],
    html: '<p>Good to have you, {{ADDRESS}}.</p>',
    text: null,
    variables: [{ key: 'ADDRESS', type: 'string', fallback: null }],
  },
};

@Injectable()
export class Templates implements TemplateSource {
  async find(_account: string, idOrAlias: string): Promise<PublishedTemplate | undefined> {
    return TEMPLATES[idOrAlias];
  }
}
