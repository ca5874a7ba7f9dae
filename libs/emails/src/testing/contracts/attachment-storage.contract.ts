import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { AttachmentStorage, SeekingAttachmentStorage } from '../../emails/ports/attachment-storage.js';
import { sqlOf, type Transaction } from '../../shared/rows/sql-transaction.js';
import type { ContractCase, Make } from './contract-case.js';

/** Input of the checks. */
export interface AttachmentStorageExamples {
  /** Runs work in a transaction of the host and commits it. Default: contents are only put without a transaction. */
  transact?: (work: (transaction: Transaction) => Promise<void>) => Promise<void>;
}

/** Sizes: empty, one byte, and sizes around the borders of slices that a storage may make. Bytes. */
const SIZES = [0, 1, 65_537, 1_000_000, 1_000_001, 2_500_003];

/**
 * Checks the promises that `EmailsModule` relies on when it stores attachments. Every run stores new contents.
 *
 * @example
 * ```ts
 * declare const storage: AttachmentStorage;
 * for (const { name, run } of attachmentStorageContract(() => storage)) test(name, run);
 * ```
 */
export function attachmentStorageContract(
  make: Make<AttachmentStorage>,
  { transact }: AttachmentStorageExamples = {},
): ContractCase[] {
  const cases: ContractCase[] = [
    {
      name: 'returns a stored content byte for byte, as bytes',
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
      name: 'keeps a content when the caller later changes its bytes',
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
      name: 'accepts a content again, also from many callers at the same time',
      run: async () => {
        const storage = await make();
        const { hash, content } = newContent(100_000);
        await Promise.all(Array.from({ length: 5 }, () => storage.put(hash, content)));
        await storage.put(hash, content);
        await expectContent(storage, hash, content);
      },
    },
    {
      name: 'returns many contents at the same time, each whole, to many readers',
      run: async () => {
        const storage = await make();
        const contents = Array.from({ length: 5 }, (_, index) => newContent(200_000 + index));
        await Promise.all(contents.map(({ hash, content }) => storage.put(hash, content)));
        const asked = [...contents, ...contents];
        await Promise.all(asked.map(({ hash, content }) => expectContent(storage, hash, content)));
      },
    },
    {
      name: 'returns a content again after a reader stopped halfway',
      run: async () => {
        const storage = await make();
        const { hash, content } = newContent(2_500_003);
        await storage.put(hash, content);
        (await storage.get(hash)).on('error', () => {}).destroy();
        await expectContent(storage, hash, content);
      },
    },
    {
      name: 'returns the rest of a content from any byte on, if it supports that (`getFrom`)',
      run: async () => {
        const storage: AttachmentStorage & Partial<SeekingAttachmentStorage> = await make();
        if (!storage.getFrom) return;
        const { hash, content } = newContent(2_500_003);
        await storage.put(hash, content);
        for (const start of [0, 1, 250_000, 999_999, 1_000_000, 1_000_001, 2_500_002]) {
          expectBytes(await bytesOf(await storage.getFrom(hash, start)), content.subarray(start));
        }
        const found = storage.getFrom(newContent(1).hash, 0).then(bytesOf);
        await assert.rejects(found, 'An absent content must not be read as an empty one.');
      },
    },
    {
      name: 'fails when there is no content under a hash',
      run: async () => {
        const storage = await make();
        const found = storage.get(newContent(1).hash).then((stream) => buffer(stream));
        await assert.rejects(found, 'An absent content must not be read as an empty one.');
      },
    },
  ];
  if (transact === undefined) return cases;
  return [
    ...cases,
    {
      name: 'has a content that was put within a transaction after the commit',
      run: async () => {
        const storage = await make();
        const { hash, content } = newContent(1_000_001);
        await transact((transaction) => storage.put(hash, content, sqlOf(transaction)));
        await expectContent(storage, hash, content);
      },
    },
  ];
}

/** Under the library's hash, of a separate account. */
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
