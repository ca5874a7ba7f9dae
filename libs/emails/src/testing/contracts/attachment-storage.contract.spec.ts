import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { AttachmentStorage, SeekingAttachmentStorage } from '../../emails/ports/attachment-storage.js';
import type { SqlTransaction } from '../../shared/rows/sql-transaction.js';
import { MemoryAttachmentStorage } from '../memory-attachment-storage.js';
import { attachmentStorageContract } from './attachment-storage.contract.js';
import { brokenOf } from './contracts.spec-tools.js';

/** A correct storage, except for the overrides of a test. */
class Storage implements AttachmentStorage {
  protected readonly contents = new Map<string, Buffer>();

  constructor(
    private readonly overrides: Partial<{ kept: (given: Buffer) => Buffer; given: (kept: Buffer) => Readable }>,
  ) {}

  async put(hash: string, content: Buffer): Promise<void> {
    this.contents.set(hash, (this.overrides.kept ?? Buffer.from)(content));
  }

  async get(hash: string): Promise<Readable> {
    const content = this.contents.get(hash);
    if (!content) throw new Error('There is none.');
    return this.overrides.given?.(content) ?? Readable.from([content]);
  }
}

const transact = (work: (transaction: SqlTransaction) => Promise<void>) => work({ query: async () => ({ rows: [] }) });
const broken = async (make: () => AttachmentStorage) =>
  Object.keys(await brokenOf(attachmentStorageContract(make, { transact })));
const EXACT = 'returns a stored content byte for byte, as bytes';

describe('attachmentStorageContract', () => {
  it('is kept by the storage of the testing module, and by one whose streams fail late', async () => {
    expect(await broken(() => new MemoryAttachmentStorage())).toEqual([]);
    class Late extends Storage {
      override async get(hash: string): Promise<Readable> {
        if (this.contents.has(hash)) return super.get(hash);
        return new Readable({ read: (): never => undefined as never }).destroy(new Error('There is none.'));
      }
    }
    expect(await broken(() => new Late({}))).toEqual([]);
  });

  it.each<[string, ConstructorParameters<typeof Storage>[0], string]>([
    ['loses the end', { kept: (given) => Buffer.from(given.subarray(0, 1_000_000)) }, EXACT],
    ['adds something', { kept: (given) => Buffer.concat([given, Buffer.from('\n')]) }, EXACT],
    ['decodes bytes as text', { kept: (given) => Buffer.from(given.toString()) }, EXACT],
    ['gives text', { given: (kept) => Readable.from([kept.toString('latin1')]) }, EXACT],
    [
      'keeps the bytes of its caller',
      { kept: (given) => given },
      'keeps a content when the caller later changes its bytes',
    ],
  ])('is broken by one that %s', async (_, overrides, name) => {
    expect(await broken(() => new Storage(overrides))).toContain(name);
  });

  it('is kept by one that starts at any byte, and broken by one that starts at another byte', async () => {
    const seeking = (off: number) =>
      class Seeking extends Storage implements SeekingAttachmentStorage {
        async getFrom(hash: string, start: number): Promise<Readable> {
          const rest = (await buffer(await this.get(hash))).subarray(start === 1_000_000 ? start + off : start);
          return Readable.from([rest]);
        }
      };
    const [Right, Wrong] = [seeking(0), seeking(1)];
    expect(await broken(() => new Right({}))).toEqual([]);
    expect(await broken(() => new Wrong({}))).toEqual([
      'returns the rest of a content from any byte on, if it supports that (`getFrom`)',
    ]);
  });

  it('is broken by one that treats an absent content as empty', async () => {
    class Empty extends Storage {
      override async get(hash: string): Promise<Readable> {
        return this.contents.has(hash) ? super.get(hash) : Readable.from([]);
      }
    }
    expect(await broken(() => new Empty({}))).toEqual(['fails when there is no content under a hash']);
  });

  it('is broken by one that refuses an existing content', async () => {
    class Once extends Storage {
      override async put(hash: string, content: Buffer): Promise<void> {
        if (this.contents.has(hash)) throw new Error('duplicate key value');
        await super.put(hash, content);
      }
    }
    expect(await broken(() => new Once({}))).toEqual([
      'accepts a content again, also from many callers at the same time',
    ]);
  });

  it('is broken by one whose content can be read only once', async () => {
    class Single extends Storage {
      override async get(hash: string): Promise<Readable> {
        const content = super.get(hash);
        this.contents.delete(hash);
        return content;
      }
    }
    expect(await broken(() => new Single({}))).toEqual([
      'returns many contents at the same time, each whole, to many readers',
      'returns a content again after a reader stopped halfway',
    ]);
  });

  it('is broken by one that loses contents put within a transaction', async () => {
    class Outside extends Storage {
      override async put(hash: string, content: Buffer, transaction?: SqlTransaction): Promise<void> {
        if (!transaction) await super.put(hash, content);
      }
    }
    expect(await broken(() => new Outside({}))).toEqual([
      'has a content that was put within a transaction after the commit',
    ]);
  });
});
