import { Injectable } from '@nestjs/common';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { required } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { mailbox } from '../../shared/validation/mailbox-rule.js';
import { readValues } from '../../shared/validation/read-fields.js';
import type { ErasureStore } from '../storage/erasure.repository.js';

/** An erasure in an answer. */
export interface ErasureRecord {
  object: 'erasure';
  id: string;
  /** `running` until nothing of the person is left that is to go. */
  status: 'running' | 'finished';
}

/** The body of `POST /erasures`. */
const erasureFields = new Fields<{ email: string }>({
  email: required(
    mailbox('must be one address such as `name@example.com`, without a name', {
      also: ({ address }, text) => address === text.trim(),
    }),
  ),
});

/** Who goes on with erasures in this process. */
export interface WokenWorker {
  wake(): void;
}

/** Takes orders to erase somebody; workers carry them out. */
@Injectable()
export class ErasuresService {
  constructor(
    private readonly erasures: ErasureStore,
    private readonly worker?: WokenWorker,
  ) {}

  /** @throws ApiError 422 when it is no address */
  async create(accountId: string, values: object): Promise<ErasureRecord> {
    const { email } = readValues(values, erasureFields);
    const id = await this.erasures.create(accountId, parseMailbox(email).envelope);
    this.worker?.wake();
    return { object: 'erasure', id, status: 'running' };
  }

  /** Undefined: the account has none with this id. */
  async find(accountId: string, id: string): Promise<ErasureRecord | undefined> {
    const found = isUuid(id) ? await this.erasures.find(accountId, id) : undefined;
    return found && { object: 'erasure', id: found.id, status: found.finished ? 'finished' : 'running' };
  }
}
