import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import { InboxStore } from './inbox-store.js';

describe('InboxStore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'emails-inbox-store-'));
  const directory = join(folder, 'data', 'inbox');
  const envelope = { from: 'a@example.com', to: ['b@example.com', 'c@example.com'] };

  afterEach(() => rmSync(join(folder, 'data'), { recursive: true }));
  afterAll(() => rmSync(folder, { recursive: true }));

  const add = (store: InboxStore, message: string) => store.add(envelope, Readable.from([Buffer.from(message)]));
  const subjects = (store: InboxStore) => store.list().map(({ subject }) => subject);

  it('keeps the newest, in files and over a restart', async () => {
    const store = await InboxStore.open(directory, 3);
    for (let i = 1; i <= 5; i += 1) await add(store, `Subject: number ${i}\r\n\r\ntext`);
    expect(subjects(store)).toEqual(['number 5', 'number 4', 'number 3']);
    expect(readdirSync(directory)).toHaveLength(6);

    const reopened = await InboxStore.open(directory, 3);
    expect(reopened.list()).toEqual(store.list());
    expect(reopened.list()[0]).toMatchObject({ ...envelope, received_at: expect.stringMatching(/T.*Z$/) });
    expect(subjects(await InboxStore.open(directory, 2))).toEqual(['number 5', 'number 4']);
    expect(readdirSync(directory)).toHaveLength(4);
  });

  it('keeps the order of messages of one millisecond', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 0, 1));
    const store = await InboxStore.open(directory, 20);
    await Promise.all(Array.from({ length: 20 }, (_, i) => add(store, `Subject: number ${i}\r\n\r\n`)));
    now.mockRestore();
    expect((await InboxStore.open(directory, 20)).list()).toEqual(store.list());
  });

  it('removes one, and all', async () => {
    const store = await InboxStore.open(directory, 5);
    for (const name of ['one', 'two', 'three']) await add(store, `Subject: ${name}\r\n\r\n`);
    const [newest] = store.list();
    expect(newest?.size).toBe('Subject: three\r\n\r\n'.length);
    expect(await store.remove(newest?.id ?? '')).toBe(true);
    expect(await store.remove(newest?.id ?? '')).toBe(false);
    expect(subjects(store)).toEqual(['two', 'one']);
    expect(readdirSync(directory)).toHaveLength(4);
    await store.clear();
    expect([subjects(store), readdirSync(directory)]).toEqual([[], []]);
  });

  it('closes its own directory to others, not those above it', async () => {
    await InboxStore.open(directory, 3);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'data')).mode & 0o001).toBe(0o001 & ~process.umask());
  });

  it.each([
    ['encoded words', 'Subject: =?utf-8?q?gr=C3=BCn?=\r\n =?utf-8?q?_und_blau?=\r\n\r\nSubject: no', 'grün und blau'],
    ['raw UTF-8', 'From: a@example.com\r\nSubject: grün\r\n\r\n', 'grün'],
    ['no subject', 'From: a@example.com\r\n\r\nSubject: no', ''],
    ['no body', 'Subject: alone\r\n', 'alone'],
    ['nothing', '', ''],
  ])('reads the subject of a message with %s', async (_, message, subject) => {
    const store = await InboxStore.open(directory, 3);
    await add(store, message);
    expect(subjects(store)).toEqual([subject]);
  });

  it('keeps nothing of an incomplete message', async () => {
    const store = await InboxStore.open(directory, 3);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('Subject: half');
        throw new Error('gone');
      })(),
    );
    await expect(store.add(envelope, broken)).rejects.toThrow('gone');
    expect(store.list()).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('removes the remains of a crash, and keeps foreign files', async () => {
    const store = await InboxStore.open(directory, 3);
    await add(store, 'Subject: whole\r\n\r\n');
    const [left, damaged] = ['00000000-0000-4000-8000-000000000000', '11111111-1111-4111-8111-111111111111'];
    for (const name of [`${left}.eml`, `${left}.json.partial`, `${damaged}.eml`, `${damaged}.json`, 'notes.txt']) {
      writeFileSync(join(directory, name), 'x');
    }
    const reopened = await InboxStore.open(directory, 3);
    expect(reopened.list()).toEqual(store.list());
    const id = store.list()[0]?.id;
    expect(readdirSync(directory).sort()).toEqual([`${id}.eml`, `${id}.json`, 'notes.txt'].sort());
  });

  it.each(['..', '../inbox-store', '', '00000000-0000-4000-8000-000000000000'])('has no message %j', async (id) => {
    const store = await InboxStore.open(directory, 3);
    expect(await store.openMessage(id)).toBeUndefined();
  });
});
