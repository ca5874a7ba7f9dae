import type { Settings } from '../config/settings.js';
import type { Operators } from './operators.js';

/** Views of operators, loaded only where `ADMIN_TOKEN` is set. */
export async function loadOperators({ adminToken, queueShards }: Settings): Promise<Operators | undefined> {
  if (adminToken === undefined) return undefined;
  const { Operators } = await import('./operators.js');
  return new Operators(adminToken, queueShards);
}
