import { TEST_EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '../endpoints/event-types.js';
import { testEvent } from './test-event.js';

const NIL = '00000000-0000-0000-0000-000000000000';

describe('testEvent', () => {
  it('exists for every type that this server sends', () => {
    const unsent = /opened|clicked|received|^inbox\./;
    expect(TEST_EVENT_TYPES).toEqual(WEBHOOK_EVENT_TYPES.filter((type) => !unsent.test(type)));
  });

  it.each(TEST_EVENT_TYPES)('of %s has the form of a real event, about nobody', (type) => {
    const { id, type: made, body } = testEvent(type, 'acme');
    expect(id).toMatch(/^msg_[A-Za-z0-9]{27}$/);
    expect(made).toBe(type);
    const payload = JSON.parse(body);
    expect(payload).toEqual({ type, created_at: expect.any(String), data: expect.any(Object) });
    const { email_id: emailId, id: recordId, topics } = payload.data;
    expect(emailId ?? recordId ?? topics[0].id).toBe(NIL);
    expect(body.match(/[\w.]+@[\w.]+/g)?.every((address) => address.endsWith('@example.com')) ?? true).toBe(true);
  });

  it('is another event each time', () => {
    expect(testEvent('email.sent', 'acme').id).not.toBe(testEvent('email.sent', 'acme').id);
  });
});
