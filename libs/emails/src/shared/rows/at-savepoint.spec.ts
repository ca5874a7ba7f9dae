import { jest } from '@jest/globals';
import { atSavepoint } from './at-savepoint.js';

function recording(fails: (sql: string) => boolean = () => false) {
  const asked: string[] = [];
  const query = async (sql: string) => {
    asked.push(sql.split(' ')[0] ?? '');
    if (fails(sql)) throw new Error(`${sql} failed`);
    return { rows: [] };
  };
  return { asked, query };
}

describe('atSavepoint', () => {
  it('releases the savepoint and returns the result of the work', async () => {
    const { asked, query } = recording();
    await expect(atSavepoint({ query }, async () => 1)).resolves.toBe(1);
    expect(asked).toEqual(['SAVEPOINT', 'RELEASE']);
  });

  it('rolls back to it when the work fails', async () => {
    const { asked, query } = recording();
    await expect(atSavepoint({ query }, () => Promise.reject(new Error('taken')))).rejects.toThrow('taken');
    expect(asked).toEqual(['SAVEPOINT', 'ROLLBACK', 'RELEASE']);
  });

  it('fails with the error of the work when the connection is lost', async () => {
    const { query } = recording((sql) => sql.startsWith('ROLLBACK'));
    await expect(atSavepoint({ query }, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  });

  it('does no work without a savepoint', async () => {
    const { query } = recording(() => true);
    const work = jest.fn(async () => {});
    await expect(atSavepoint({ query }, work)).rejects.toThrow('SAVEPOINT nestjs_emails failed');
    expect(work).not.toHaveBeenCalled();
  });
});
