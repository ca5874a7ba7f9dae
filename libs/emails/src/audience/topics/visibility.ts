/** Whether people are shown a topic that they did not opt in to, where they choose. */
export type Visibility = 'public' | 'private';

export const VISIBILITIES: readonly Visibility[] = ['public', 'private'];
