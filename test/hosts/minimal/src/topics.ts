import { Injectable } from '@nestjs/common';
import type { TopicDecision, TopicPolicy } from 'nestjs-emails';

/** Addresses that left a topic, by its id. A real host reads this from its database, so that workers see it too. */
const LEFT = new Map([
  ['0b7c3a52-6f0e-4a51-9d0c-2f3c1a5b7e11', new Set(['gone@example.com'])],
  ['0b7c3a52-6f0e-4a51-9d0c-2f3c1a5b7e12', new Set<string>()],
]);

@Injectable()
export class Topics implements TopicPolicy {
  async exists(_account: string, topic: string): Promise<boolean> {
    return LEFT.has(topic);
  }

  async decide(_account: string, topic: string, addresses: readonly string[]): Promise<TopicDecision[]> {
    return addresses.map((address) =>
      LEFT.get(topic)?.has(address) === false
        ? { allowed: true }
        : { allowed: false, reason: 'The recipient left this topic.' },
    );
  }
}
