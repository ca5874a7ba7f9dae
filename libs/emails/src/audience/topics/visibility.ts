/** True if the page of choices shows people a topic that they did not opt in to. */
export type Visibility = 'public' | 'private';

export const VISIBILITIES: readonly Visibility[] = ['public', 'private'];
