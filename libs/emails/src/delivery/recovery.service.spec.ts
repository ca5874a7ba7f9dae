import type { DeliveryHint, DeliveryQueue } from '../queue/delivery-queue.js';
import type { DeliveryRepository, OverdueEmail } from '../storage/delivery.repository.js';
import { RecoveryService } from './recovery.service.js';

const LATE: OverdueEmail = { emailId: 'late', accountId: 'account', fence: 0, delay: 0 };

describe('RecoveryService', () => {
  it('hints at once at what fell due while nothing ran, and then leaves hints a second to arrive', async () => {
    const graces: number[] = [];
    const hints: DeliveryHint[] = [];
    const repository: Pick<DeliveryRepository, 'overdue'> = {
      overdue: async (grace) => {
        graces.push(grace);
        return [LATE];
      },
    };
    const queue: Pick<DeliveryQueue, 'hint'> = { hint: (hint) => hints.push(hint) };
    const recovery = new RecoveryService(repository as DeliveryRepository, queue as DeliveryQueue, 2_000);
    await recovery.sweep();
    await recovery.sweep();
    expect(graces).toEqual([0, 1_000]);
    expect(hints).toEqual([LATE, LATE]);
  });
});
