import { Injectable } from '@nestjs/common';
import { toPageRequest } from '../../../shared/http/page-query.js';
import { readQuery } from '../../../shared/http/query.js';
import { toEnvelope } from '../../../shared/rows/page.js';
import type { ActionEntity } from '../../storage/entities/action.entity.js';
import { ActionsRepository } from '../../storage/keep/actions.repository.js';
import type { ActionDto } from './action.dto.js';
import type { ActionListDto } from './action-list.dto.js';
import { ListActionsQueryDto } from './list-actions-query.dto.js';

/** The changes that callers asked for. */
@Injectable()
export class ActionsService {
  constructor(private readonly actions: ActionsRepository) {}

  /** Newest first. @throws ApiError 422, also when the cursor is not in the list */
  async list(accountId: string, query: ListActionsQueryDto): Promise<ActionListDto> {
    const { action } = readQuery(ListActionsQueryDto, { ...query });
    // The rule of the class leaves nothing that ends the quotes.
    const rule = action === undefined ? {} : { where: `action = '${action}'` };
    return toEnvelope(await this.actions.page(accountId, toPageRequest(query), rule), shown);
  }
}

function shown({ id, createdText, action, source, keyId, sessionId, ids, count }: ActionEntity): ActionDto {
  return { id, created_at: createdText, action, source, key_id: keyId, session_id: sessionId, ids, count };
}
