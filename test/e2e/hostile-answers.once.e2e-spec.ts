import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { megabytesOf } from '../support/reading/process-memory.js';
import { RawConnection } from '../support/requests/raw-connection.js';

/** Megabytes of the heap that the host has. */
const HEAP = 256;
/** Upper limit for the memory of a process: its heap, and what requests, answers and connections hold outside of it. */
const MOST = 900;
const ACCOUNTS = 4;
/** Emails of an account, and its templates. */
const EACH = 4;
/** Unread answers of an account in a round. */
const READERS = 24;
const ROUNDS = 8;
/** Interval of rounds. Milliseconds. */
const ROUND = 1_500;
/** Batches at the same time. */
const BATCHES = 4;
/** Milliseconds. */
const TIMEOUT = 120_000;

interface Account {
  token: string;
  emails: string[];
  templates: string[];
}

/** One character outside Latin-1: as a string, it takes two bytes for each of its characters. */
const wide = (bytes: number) => `<p>名</p>${'<p>words &amp; "more"</p>\n'.repeat(bytes / 26)}`;

const letter = (bytes: number) => ({
  from: 'a@from.test',
  to: 'to@to.test',
  subject: 'Hello',
  html: wide(bytes),
  scheduled_at: 'in 10 days',
});

/** Each kind of answer has memory of its own. All of them together must fit into the heap. */
describe('A host with a small heap gets requests for wide texts', () => {
  let host: RunningHost;
  const accounts: Account[] = [];
  const readers: RawConnection[] = [];

  beforeAll(async () => {
    host = await startHost({ role: 'api', env: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` } });
    const content = wide(400_000);
    for (let made = 0; made < ACCOUNTS; made++) {
      const { token } = await host.account(`account ${made}`);
      const account: Account = { token, emails: [], templates: [] };
      for (let count = 0; count < EACH; count++) {
        account.emails.push(await created('/emails', letter(3_000_000), token));
        account.templates.push(await created('/templates', { name: 'T', html: content, text: content }, token));
      }
      accounts.push(account);
    }
  });

  async function created(path: string, body: object, token: string): Promise<string> {
    const { status, body: answer } = await host.request<{ id: string }>('POST', path, { body, token });
    expect(status).toBeLessThan(300);
    return answer.id;
  }

  async function openUnread({ token, emails, templates }: Account): Promise<void> {
    for (let reader = 0; reader < READERS; reader++) {
      const [email, template] = [emails[reader % EACH], templates[reader % EACH]];
      const paths = [`/emails?limit=${EACH}`, `/emails/${email}`, `/emails/${email}/source`, `/templates/${template}`];
      const path = paths[Math.floor(reader / EACH) % paths.length];
      const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      const connection = await RawConnection.open(host.url, head);
      connection.stopReading();
      readers.push(connection);
    }
  }

  /** A request without an answer counts as status 0. */
  it('survives unread answers of all kinds while emails and batches arrive', async () => {
    const statuses = new Set<number>();
    const underWay = new Set<Promise<void>>();
    const post = (path: string, body: object, token: string) => {
      const sent = host
        .request('POST', path, { body, token, timeout: TIMEOUT })
        .then(
          ({ status }) => void statuses.add(status),
          () => void statuses.add(0),
        )
        .finally(() => underWay.delete(sent));
      underWay.add(sent);
    };
    const batch = Array(25).fill(letter(480_000));
    for (let round = 0; round < ROUNDS; round++) {
      const next = sleep(ROUND);
      for (const account of accounts) {
        await openUnread(account);
        post('/emails', letter(480_000), account.token);
        if (underWay.size < BATCHES + ACCOUNTS) post('/emails/batch', batch, account.token);
      }
      await next;
      expect(host.isRunning).toBe(true);
    }
    await Promise.all(readers.map((connection) => connection.end()));
    await Promise.all(underWay);
    expect(statuses).toContain(200);
    statuses.delete(503);
    expect([...statuses]).toEqual([200]);
    for (const { token, emails } of accounts) {
      expect((await host.request('GET', `/emails/${emails[0]}`, { token })).status).toBe(200);
    }
    expect(megabytesOf(host.pid)).toBeLessThan(MOST);
  });
});
