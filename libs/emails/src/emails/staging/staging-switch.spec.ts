import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { MessageBuilder } from '../message/message-builder.js';
import type { EmailTransport } from '../ports/email-transport.js';
import type { StagingOptions } from './staging.options.js';
import { StagingSwitch } from './staging-switch.js';

const transport = { hop: 'relay' } as EmailTransport;
const builder = {} as MessageBuilder;
const BOTH = { onlyTo: ['me@example.net', 'example.org'], redirectAllTo: 'qa@example.net' };

function linesOf(options: StagingOptions | undefined): unknown[] {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
  new StagingSwitch(options).onApplicationBootstrap();
  const lines = warn.mock.calls.map(([line]) => line);
  warn.mockRestore();
  return lines;
}

describe('StagingSwitch', () => {
  it('changes nothing while it is off', () => {
    for (const options of [undefined, {}]) {
      const off = new StagingSwitch(options);
      expect(off.transport(transport)).toBe(transport);
      expect(off.messages(builder)).toBe(builder);
      expect(off.policies).toEqual([]);
      expect(off.active).toEqual([]);
      expect(linesOf(options)).toEqual([]);
    }
  });

  it('is one warning at the start, which says who gets mail', () => {
    expect(linesOf(BOTH)).toEqual([
      'The staging switch is on. Only me@example.net, example.org may get mail; it fails for other recipients. All mail ' +
        'goes to qa@example.net in place of its recipients.',
    ]);
    expect(linesOf({ redirectAllTo: 'qa@example.net' })).toEqual([
      'The staging switch is on. All mail goes to qa@example.net in place of its recipients.',
    ]);
  });

  it('names its options without addresses', () => {
    expect(new StagingSwitch(BOTH).active).toEqual(['only_to', 'redirect_all_to']);
    expect(new StagingSwitch({ onlyTo: ['example.org'] }).active).toEqual(['only_to']);
  });
});
