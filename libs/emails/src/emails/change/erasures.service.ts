import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { ErasureRepository, type ErasureStore } from '../storage/erase/erasure.repository.js';
import { CreateErasureDto } from './create-erasure.dto.js';
import type { ErasureDto } from './erasure.dto.js';
import { ErasureWorker } from './erasure.worker.js';

/** Runs the erasures in this process. */
export interface WokenWorker {
  wake(): void;
}

/** Accepts requests to erase a person; workers carry them out. */
@Injectable()
export class ErasuresService {
  constructor(
    @Inject(ErasureRepository) private readonly erasures: ErasureStore,
    @Optional() @Inject(ErasureWorker) private readonly worker?: WokenWorker,
  ) {}

  /** @throws ApiError 422 for an invalid address */
  async create(accountId: string, values: object, caller?: Caller): Promise<ErasureDto> {
    const { email } = readValues(values, CreateErasureDto);
    const id = await this.erasures.create(accountId, parseMailbox(email).envelope, caller);
    this.worker?.wake();
    return { object: 'erasure', id, status: 'running' };
  }

  /** Undefined: the account has no erasure with this id. */
  async find(accountId: string, id: string): Promise<ErasureDto | undefined> {
    const found = isUuid(id) ? await this.erasures.find(accountId, id) : undefined;
    return found && { object: 'erasure', id: found.id, status: found.finished ? 'finished' : 'running' };
  }
}
