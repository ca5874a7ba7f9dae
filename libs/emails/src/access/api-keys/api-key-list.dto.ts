import { ListOf } from '../../shared/rows/list.dto.js';
import { ApiKeyDto } from './api-key.dto.js';

/** A page of API keys. */
export class ApiKeyListDto extends ListOf(ApiKeyDto) {}
