/** Preloaded by a host: its features are those of `npm start`, without feedback. */
import { register } from 'node:module';

const hooks = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/host/dist/features/features.js')) return loaded;
  const source = String(loaded.source);
  const without = source.replace('feedback(options.feedback), ', '');
  if (without === source) throw new Error('The host no longer composes feedback as this file expects.');
  return { ...loaded, source: without };
}`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
