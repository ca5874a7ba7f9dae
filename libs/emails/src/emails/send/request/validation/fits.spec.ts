import 'reflect-metadata';
import { validate } from 'class-validator';
import { AttachmentDto } from '../attachment.dto.js';
import { SendEmailDto } from '../send-email.dto.js';
import { TagDto } from '../tag.dto.js';
import { TemplateDto } from '../template.dto.js';
import { fits } from './fits.js';

const make = <T extends object>(type: new () => T, fields: object): T => Object.assign(new type(), fields);
const email = (fields: object = {}) => make(SendEmailDto, { from: 'a@b.example', to: ['c@d.example'], ...fields });

const GOOD: [string, SendEmailDto][] = [
  ['the least', email()],
  ['no sender, which a template may supply', email({ from: undefined })],
  ['tags', email({ tags: [make(TagDto, { name: 'a', value: 'b' })] })],
  ['a template', email({ template: make(TemplateDto, { id: 'welcome', variables: { A: 1 } }) })],
  ['an attachment', email({ attachments: [make(AttachmentDto, { content: 'YQ==', filename: 'a.txt' })] })],
];

const BAD: [string, SendEmailDto][] = [
  ['no recipient', email({ to: undefined })],
  ['an empty list of recipients', email({ to: [] })],
  ['an address that is none', email({ cc: ['nobody'] })],
  ['a text that is none', email({ html: 1 })],
  ['headers that are no object', email({ headers: 'X: y' })],
  ['a tag with a space in it', email({ tags: [make(TagDto, { name: 'a b', value: 'c' })] })],
  ['a tag that is no object', email({ tags: ['a'] })],
  ['a filename with a slash', email({ attachments: [make(AttachmentDto, { content: 'YQ==', filename: 'a/b' })] })],
  ['a topic that is no uuid', email({ topic_id: 'news' })],
  ['a template without an id', email({ template: make(TemplateDto, {}) })],
];

describe('fits', () => {
  it.each(GOOD)('takes what class-validator takes: %s', async (_what, dto) => {
    expect(await validate(dto, { forbidUnknownValues: false })).toEqual([]);
    expect(fits(dto)).toBe(true);
  });

  it.each(BAD)('never takes what class-validator refuses: %s', async (_what, dto) => {
    expect(await validate(dto, { forbidUnknownValues: false })).not.toEqual([]);
    expect(fits(dto)).toBe(false);
  });
});
