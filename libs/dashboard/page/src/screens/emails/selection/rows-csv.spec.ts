import { csvOf } from './rows-csv';

const ROW = {
  id: '1',
  created_at: '2026-11-23 05:00:00.000000+00',
  from: '"Ann, Shop" <ann@a.test>',
  to: ['b@b.test', 'c@c.test'],
  cc: ['d@d.test'],
  bcc: [],
  reply_to: [],
  subject: '=1+1, "quoted"\nline',
  last_event: 'delivered',
  scheduled_at: null,
  tags: [{ name: 'order', value: '12' }],
  topic_id: null,
  message_id: '<1@a.test>',
  attachments: 1,
} as const;

describe('the file of selected rows', () => {
  it('is that of the API', () => {
    const row = { ...ROW, to: [...ROW.to], cc: [...ROW.cc], bcc: [], reply_to: [], tags: [...ROW.tags] };
    const header = 'id,created_at,from,to,cc,bcc,reply_to,subject,last_event,scheduled_at,tags,topic_id,message_id\r\n';
    expect(csvOf([])).toBe(header);
    expect(csvOf([row])).toBe(
      `${header}1,2026-11-23 05:00:00.000000+00,"""Ann, Shop"" <ann@a.test>","b@b.test, c@c.test",d@d.test,,,"'=1+1, ""quoted""\nline",delivered,,order:12,,<1@a.test>\r\n`,
    );
  });
});
