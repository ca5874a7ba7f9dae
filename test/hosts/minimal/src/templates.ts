import { Injectable } from '@nestjs/common';
import type { PublishedTemplate, TemplateSource } from 'nestjs-emails';

const WELCOME: PublishedTemplate = {
  from: 'Newsletter <news@example.com>',
  subject: 'Welcome, {{ADDRESS}}',
  replyTo: [],
  html: '<p>Good to have you, {{ADDRESS}}.</p>',
  text: null,
  variables: [{ key: 'ADDRESS', type: 'string', fallback: null }],
};

/** By alias. A map, because every object has a property `constructor`. */
const TEMPLATES = new Map([['welcome', WELCOME]]);

@Injectable()
export class Templates implements TemplateSource {
  async find(_account: string, idOrAlias: string): Promise<PublishedTemplate | undefined> {
    return TEMPLATES.get(idOrAlias);
  }
}
