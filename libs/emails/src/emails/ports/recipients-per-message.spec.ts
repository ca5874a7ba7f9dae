import { isSplit } from './recipients-per-message.js';

const TOPIC = { topicId: '0190f0c0-0000-7000-8000-000000000000' };
const NO_TOPIC = { topicId: null };

describe('isSplit', () => {
  it('keeps an email in one message unless the option says otherwise', () => {
    expect([isSplit(undefined, TOPIC), isSplit('all', TOPIC), isSplit('all', NO_TOPIC)]).toEqual([false, false, false]);
  });

  it('splits every email at 1', () => {
    expect([isSplit(1, TOPIC), isSplit(1, NO_TOPIC)]).toEqual([true, true]);
  });

  it('splits emails with a topic at `topics`', () => {
    expect([isSplit('topics', TOPIC), isSplit('topics', NO_TOPIC)]).toEqual([true, false]);
  });
});
