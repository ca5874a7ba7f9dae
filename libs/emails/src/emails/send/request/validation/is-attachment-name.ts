import { isContentId, isFilename, isMediaType } from '../../attachments/media-type.js';
import { rule } from './rule.js';

export const IsFilename = () =>
  rule('isFilename', (value) =>
    isFilename(value) ? undefined : 'must have 1 to 255 characters without `/`, `\\` and control characters',
  );

export const IsContentType = () =>
  rule('isContentType', (value) =>
    isMediaType(value) ? undefined : 'must be `type/subtype` with optional `charset` or `name`, not `multipart/*`',
  );

export const IsContentId = () =>
  rule('isContentId', (value) =>
    isContentId(value) ? undefined : 'must have 1 to 128 characters of `A-Z a-z 0-9 . _ @ + -`',
  );
