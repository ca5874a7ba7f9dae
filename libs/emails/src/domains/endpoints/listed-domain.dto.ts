import { constant, text, timestamp, uuid, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { DOMAIN_STATUSES, type DomainStatus } from '../storage/domain-status.js';
import { REGIONS } from './regions.js';

/** Capabilities of a domain in an answer. */
export class ShownCapabilitiesDto {
  @AnswerField({ schema: words(['enabled', 'disabled']) })
  sending!: 'enabled' | 'disabled';

  @AnswerField({ schema: constant('disabled') })
  receiving!: 'disabled';
}

/** A domain in a list. */
export class ListedDomainDto {
  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: text, description: 'In lower-case A-labels.' })
  name!: string;

  @AnswerField({ schema: words(DOMAIN_STATUSES) })
  status!: DomainStatus;

  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({ schema: words(REGIONS) })
  region!: string;

  @AnswerField({ schema: constant(false) })
  open_tracking!: false;

  @AnswerField({ schema: constant(false) })
  click_tracking!: false;

  @AnswerField({ type: ShownCapabilitiesDto })
  capabilities!: ShownCapabilitiesDto;
}
