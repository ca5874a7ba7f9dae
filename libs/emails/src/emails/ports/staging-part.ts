/** An option of the staging switch: `delivery.onlyTo`, `delivery.redirectAllTo`. */
export type StagingPart = 'only_to' | 'redirect_all_to';
