import { Matches } from 'class-validator';

const TAG = /^[A-Za-z0-9_-]{1,256}$/;
const MESSAGE = 'must have 1 to 256 characters of `A-Z a-z 0-9 _ -`';

export class TagDto {
  @Matches(TAG, { message: MESSAGE })
  name!: string;

  @Matches(TAG, { message: MESSAGE })
  value!: string;
}
