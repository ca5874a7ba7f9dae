import { until } from '../basics/wait-for.js';
import type { ContractHost } from '../hosts/contract-host.js';
import { untilSettled } from '../reading/deliveries.js';
import type { SinkMessage } from '../servers/smtp/smtp-sink.js';

export const ERASED = 'erased@erased.invalid';
/** An attachment. */
export const FILE = { filename: 'a.txt', content: 'cHJpdmF0ZQ==' };
const LATER = '2096-11-21T05:26:01Z';

let people = 0;

/** The address of a person of whom nothing is known yet. */
export const someone = () => `jane${people++}@person.test`;

interface Database {
  query(statement: string, values: unknown[]): Promise<unknown>;
}

interface Hidden {
  id: string;
  seq: string;
  terms: string[];
}

/** What tests of erasures do to a host, and look at. */
export class Erasing {
  constructor(private readonly api: ContractHost) {}

  /** Orders it, and gives its id. */
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

  /** Waits until a worker has taken it so many more times. */
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

  /** Posts an email and waits until nothing of it is owed. */
  async sent(fields: object): Promise<string> {
    const id = await this.api.accept(fields);
    await untilSettled(this.api.host, [id]);
    return id;
  }

  scheduled(fields: object): Promise<string> {
    return this.api.accept({ scheduled_at: LATER, ...fields });
  }

  /** Lets what is scheduled, or under an old lease, fall due, and with it the erasures that wait for that. */
  async fallDue(id: string): Promise<void> {
    await this.api.host.query('UPDATE nestjs_emails.deliveries SET due_at = now() WHERE email_id = $1', [id]);
    await this.api.host.query(
      'UPDATE nestjs_emails.erasures SET due_at = now() WHERE address IS NULL AND due_at > now()',
    );
  }

  /** Tables in which a text stands, in any letter case. */
  async whereIs(text: string): Promise<string[]> {
    const rows = await this.api.host.query<{ name: string; content: string }>(`
      SELECT table_name AS name,
        query_to_xml(format('SELECT * FROM %I.%I', table_schema, table_name), true, true, '')::text AS content
      FROM information_schema.tables WHERE table_schema = 'nestjs_emails' AND table_type = 'BASE TABLE'`);
    return rows.filter(({ content }) => content.toLowerCase().includes(text.toLowerCase())).map(({ name }) => name);
  }

  /** Removes an email from the search index, as if a process of an earlier version had written it. */
  async hide(id: string): Promise<Hidden> {
    const [row] = await this.api.host.query<{ terms: string[]; seq: string }>(
      `WITH gone AS (DELETE FROM nestjs_emails.email_terms WHERE seq = (SELECT seq FROM nestjs_emails.emails WHERE id = $1) RETURNING term, seq),
       hidden AS (UPDATE nestjs_emails.deliveries SET seq = NULL WHERE email_id = $1)
       SELECT seq, array_agg(term) AS terms FROM gone GROUP BY seq`,
      [id],
    );
    return { id, ...row! };
  }

  /** Puts a hidden email back into the search index. @param database the connection that writes it */
  async show({ id, seq, terms }: Hidden, database: Database): Promise<void> {
    await database.query(
      `WITH shown AS (UPDATE nestjs_emails.deliveries SET seq = $2 WHERE email_id = $1)
       INSERT INTO nestjs_emails.email_terms SELECT term, $2 FROM unnest($3::bigint[]) AS term ON CONFLICT DO NOTHING`,
      [id, seq, terms],
    );
  }

  /** Messages with this subject that were offered. */
  offered(subject: string): SinkMessage[] {
    return this.api.sink.offered.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`));
  }

  /** What is owed of an email. */
  async stateOf(id: string) {
    const [row] = await this.api.host.query(
      'SELECT last_event, due_at IS NULL AS finished, fence, recipients FROM nestjs_emails.deliveries WHERE email_id = $1',
      [id],
    );
    return row;
  }
}
