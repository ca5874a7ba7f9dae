import { useQuery } from '@tanstack/react-query';
import { useRoute } from 'wouter';
import { firstEmailQuery } from '../api/first-email';
import type { ScreenEntry } from './screens';

/**
 * Until the account has sent an email, a host in development begins with its Start screen; later that is left out of the
 * navigation. `first` is undefined until this is known.
 */
export function useFirstSteps(screens: readonly ScreenEntry[]): {
  shown: readonly ScreenEntry[];
  first: ScreenEntry | undefined;
} {
  const start = screens.find(({ name }) => name === 'start');
  const [isAtStart] = useRoute('/start');
  const { data: email, isPending } = useQuery({ ...firstEmailQuery, enabled: start !== undefined });
  if (start === undefined) return { shown: screens, first: screens[0] };
  if (email === null) return { shown: screens, first: start };
  // It stays for a reader who has just sent the first email there.
  const shown = isAtStart ? screens : screens.filter((screen) => screen !== start);
  return { shown, first: isPending ? undefined : screens[0] };
}
