import { useState } from 'react';
import { TEXTS } from './texts';
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme';

/** Light, dark, or the system's theme. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <select aria-label={TEXTS.theme} value={theme} onChange={({ target }) => choose(target.value as Theme)}>
      {THEMES.map((name) => (
        <option key={name} value={name}>
          {TEXTS.themes[name]}
        </option>
      ))}
    </select>
  );
}
