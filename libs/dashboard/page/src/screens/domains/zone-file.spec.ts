import type { DomainRecord } from '../../api/domains';
import { zoneFile } from './zone-file';

const record = (facts: Partial<DomainRecord>): DomainRecord => ({
  ...{ record: 'SPF', name: 'send', type: 'TXT', status: 'pending', value: '', found: null, advice: [] },
  ...facts,
});

describe('zoneFile', () => {
  it('has a line for each record, with whole names', () => {
    const records = [
      record({ type: 'MX', value: 'mx.relay.test', priority: 10 }),
      record({ value: 'v=spf1 ~all' }),
      record({ name: '_dmarc', value: 'v=DMARC1; p=none;' }),
    ];
    expect(zoneFile(records, 'example.com')).toBe(
      [
        'send.example.com. IN MX 10 mx.relay.test.\n',
        'send.example.com. IN TXT "v=spf1 ~all"\n',
        '_dmarc.example.com. IN TXT "v=DMARC1; p=none;"\n',
      ].join(''),
    );
  });

  it('cuts a long value into strings, and escapes quotes', () => {
    const [line = ''] = [zoneFile([record({ value: 'k'.repeat(400) })], 'example.com')];
    expect(line).toBe(`send.example.com. IN TXT "${'k'.repeat(255)}" "${'k'.repeat(145)}"\n`);
    expect(zoneFile([record({ value: 'a"b\\c' })], 'example.com')).toContain('"a\\"b\\\\c"');
  });
});
