import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { EntityManager } from 'typeorm';
import type { AttachmentStorage, SeekingAttachmentStorage } from '../../emails/ports/attachment-storage.js';
import type { ContractCase, Make } from './contract-case.js';

/** What the storage is checked with. */
export interface AttachmentStorageExamples {
  /** Runs work in a transaction of the host and commits it. Default: contents are put without one only. */
  transact?: (work: (transaction: EntityManager) => Promise<void>) => Promise<void>;
}

/** Bytes: none, one, and what lies beside the borders of slices that a storage may make. */
const SIZES = [0, 1, 65_537, 1_000_000, 1_000_001, 2_500_003];

/** What `EmailsModule` relies on when it keeps attachments. Every run puts contents that nobody else has. */
export function attachmentStorageContract(
  make: Make<AttachmentStorage>,
  { transact }: AttachmentStorageExamples = {},
): ContractCase[] {
  const cases: ContractCase[] = [
    {
      name: 'gives back what was put, byte for byte, in bytes',
      run: async () => {
        const storage = await make();
        for (const size of SIZES) {
          const { hash, content } = newContent(size);
          await storage.put(hash, content);
          await expectContent(storage, hash, content);
        }
      },
    },
    {
      name: 'keeps what was put, whatever becomes of the bytes that it was given',
      run: async () => {
        const storage = await make();
        const { hash, content } = newContent(100_000);
        const given = Buffer.from(content);
        await storage.put(hash, given);
        assert.ok(given.equals(content), 'The content must be left as it is.');
        given.fill(0);
        await expectContent(storage, hash, content);
      },
    },
    {
      name: 'takes a content again, also from many at the same time',
      run: async () => {
        const storage = await make();
        const { hash, content } = newContent(100_000);
        await Promise.all(Array.from({ length: 5 }, () => storage.put(hash, content)));
        await storage.put(hash, content);
        await expectContent(storage, hash, content);
      },
    },
    {
      name: 'gives many contents at the same time, each whole, however many read it',
      run: async () => {
        const storage = await make();
        const contents = Array.from({ length: 5 }, (_, index) => newContent(200_000 + index));
        await Promise.all(contents.map(({ hash, content }) => storage.put(hash, content)));
        const asked = [...contents, ...contents];
        await Promise.all(asked.map(({ hash, content }) => expectContent(storage, hash, content)));
      },
    },
    {
      name: 'gives a content again that somebody did not read to its end',
      run: async () => {
        const storage = await make();
        const { hash, content } = newContent(2_500_003);
        await storage.put(hash, content);
        (await storage.get(hash)).on('error', () => {}).destroy();
        await expectContent(storage, hash, content);
      },
    },
    {
      name: 'gives the rest of a content from any byte on, where it can (`getFrom`)',
      run: async () => {
        const storage: AttachmentStorage & Partial<SeekingAttachmentStorage> = await make();
        if (!storage.getFrom) return;
        const { hash, content } = newContent(2_500_003);
        await storage.put(hash, content);
        for (const start of [0, 1, 250_000, 999_999, 1_000_000, 1_000_001, 2_500_002]) {
          expectBytes(await bytesOf(await storage.getFrom(hash, start)), content.subarray(start));
        }
        const found = storage.getFrom(newContent(1).hash, 0).then(bytesOf);
        await assert.rejects(found, 'What is not there must not be read as an empty content.');
      },
    },
    {
      name: 'fails when there is no content under a hash',
      run: async () => {
        const storage = await make();
        const found = storage.get(newContent(1).hash).then((stream) => buffer(stream));
        await assert.rejects(found, 'What is not there must not be read as an empty content.');
      },
    },
  ];
  if (transact === undefined) return cases;
  return [
    ...cases,
    {
      name: 'has a content that was put within a transaction once that is committed',
      run: async () => {
        const storage = await make();
        const { hash, content } = newContent(1_000_001);
        await transact((transaction) => storage.put(hash, content, transaction));
        await expectContent(storage, hash, content);
      },
    },
  ];
}

/** Under the hash that the library makes, of an account of its own. */
function newContent(size: number): { hash: string; content: Buffer } {
  const content = randomBytes(size);
  const hash = createHash('sha256').update(randomUUID()).update('\0').update(content).digest('hex');
  return { hash, content };
}

async function expectContent(storage: AttachmentStorage, hash: string, content: Buffer): Promise<void> {
  expectBytes(await bytesOf(await storage.get(hash)), content);
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) {
    assert.ok(piece instanceof Uint8Array, `The stream must give bytes, not ${typeof piece}s.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function expectBytes(read: Buffer, content: Buffer): void {
  assert.equal(read.length, content.length, `Of ${content.length} bytes ${read.length} came back.`);
  assert.ok(read.equals(content), `Of ${content.length} bytes others came back.`);
}
