import { ApiError } from '../../shared/errors/api-error.js';

/** Resend's regions. Its clients know no others. */
export const REGIONS = ['us-east-1', 'eu-west-1', 'sa-east-1', 'ap-northeast-1'] as const;

/** One of them. */
export type Region = (typeof REGIONS)[number];

export const DEFAULT_REGION: Region = 'us-east-1';

/** @throws ApiError 422 `invalid_region` */
export function readRegion(text: string): Region {
  const region = REGIONS.find((known) => known === text);
  if (region) return region;
  const names = REGIONS.map((known) => `\`${known}\``).join(', ');
  throw new ApiError(422, 'invalid_region', `\`region\` must be one of ${names}.`);
}
