import { readSettings } from './read-settings.js';
import type { Settings } from './settings.js';

/**
 * The settings of this process: the one place that reads `process.env`.
 *
 * @throws SettingsError
 */
export function environmentSettings(): Settings {
  return readSettings(process.env);
}
