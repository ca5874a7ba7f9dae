import { readItem, writeItem } from '../api/browser-storage';

const KEY = 'nestjs-emails theme';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The theme chosen before; else the system's. */
export function chosenTheme(): Theme {
  const kept = readItem('localStorage', KEY);
  return THEMES.find((theme) => theme === kept) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  writeItem('localStorage', KEY, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
