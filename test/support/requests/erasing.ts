import { until } from '../basics/wait-for.js';
import type { ContractHost } from '../hosts/contract-host.js';
import { untilSettled } from '../reading/deliveries.js';
import type { SinkMessage } from '../servers/smtp/smtp-sink.js';

export const ERASED = 'erased@erased.invalid';
/** An attachment. */
export const FILE = { filename: 'a.txt', content: 'cHJpdmF0ZQ==' };
const LATER = '2096-11-21T05:26:01Z';

let people = 0;

/** The address of a person without any data. */
export const someone = () => `jane${people++}@person.test`;

/** Actions and observations of tests of erasures. */
export class Erasing {
  constructor(private readonly api: ContractHost) {}

  /** Requests it, and returns its id. */
  async erase(email: string): Promise<string> {
    const { status, body } = await this.api.host.request<{ id: string }>('POST', '/erasures', { body: { email } });
    expect([status, body]).toEqual([201, { object: 'erasure', id: expect.any(String), status: 'running' }]);
    return body.id;
  }

  async statusOf(id: string): Promise<string> {
    return (await this.api.host.request<{ status: string }>('GET', `/erasures/${id}`)).body.status;
  }

  untilFinished(id: string): Promise<unknown> {
    return until(async () => (await this.statusOf(id)) === 'finished', { what: 'the erasure' });
  }

  async untilErased(email: string): Promise<void> {
    await this.untilFinished(await this.erase(email));
  }

  /** Waits until a worker has leased it this many more times. */
  async untilTaken(id: string, times: number): Promise<void> {
    const fence = async () => {
      const [row] = await this.api.host.query<{ fence: number }>(
        'SELECT fence FROM nestjs_emails.erasures WHERE id = $1',
        [id],
      );
      return row?.fence ?? 0;
    };
    const before = await fence();
    await until(async () => (await fence()) >= before + times);
  }

  /** Posts an email and waits until nothing of it is pending. */
  async sent(fields: object): Promise<string> {
    const id = await this.api.accept(fields);
    await untilSettled(this.api.host, [id]);
    return id;
  }

  scheduled(fields: object): Promise<string> {
    return this.api.accept({ scheduled_at: LATER, ...fields });
  }

  /** Makes scheduled emails and those under an old lease due, and with them the waiting erasures. */
  async fallDue(id: string): Promise<void> {
    await this.api.host.query('UPDATE nestjs_emails.deliveries SET due_at = now() WHERE email_id = $1', [id]);
    await this.api.host.query(
      'UPDATE nestjs_emails.erasures SET due_at = now() WHERE address IS NULL AND due_at > now()',
    );
  }

  /** Tables that contain a text, in any letter case. */
  async whereIs(text: string): Promise<string[]> {
    const rows = await this.api.host.query<{ name: string; content: string }>(`
      SELECT table_name AS name,
        query_to_xml(format('SELECT t::text AS row FROM %I.%I t', table_schema, table_name), true, true, '')::text AS content
      FROM information_schema.tables WHERE table_schema = 'nestjs_emails' AND table_type = 'BASE TABLE'`);
    return rows.filter(({ content }) => content.toLowerCase().includes(text.toLowerCase())).map(({ name }) => name);
  }

  /** Offered messages with this subject. */
  offered(subject: string): SinkMessage[] {
    return this.api.sink.offered.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`));
  }

  /** Pending recipients of an email. */
  async stateOf(id: string) {
    const [row] = await this.api.host.query(
      'SELECT last_event, due_at IS NULL AS finished, fence, recipients FROM nestjs_emails.deliveries WHERE email_id = $1',
      [id],
    );
    return row;
  }
}
