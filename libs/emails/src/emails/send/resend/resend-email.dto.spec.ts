import { DtoReader } from '../../../shared/validation/dto-reader.js';
import { ResendEmailDto } from './resend-email.dto.js';

const addresses = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@to.test`);

describe('the body of a resend', () => {
  it('may name every recipient that an email can have', () => {
    expect(DtoReader.of(ResendEmailDto).read({ recipients: addresses(150) }).recipients).toHaveLength(150);
    expect(() => DtoReader.of(ResendEmailDto).read({ recipients: addresses(151) })).toThrow(
      '`recipients` takes up to 150 mailboxes.',
    );
  });
});
