import type { RouteLayer } from './express-routes.js';

/**
 * Prevents a fixed path from matching a parameter: `/emails/metrics` is never `/emails/:id`, for any order of the
 * routes and any methods.
 */
export function spareSpecialPaths(layers: readonly RouteLayer[]): void {
  const own = layers.map((layer) => ({ layer, match: layer.match.bind(layer) }));
  for (const { layer, match } of own) {
    const special = own.filter((other) => isMoreSpecial(other.layer.route.path, layer.route.path));
    if (special.length === 0) continue;
    layer.match = (path) => !special.some((other) => other.match(path)) && match(path);
  }
}

/** True if a path has fixed segments in place of the other's parameters, and equals it elsewhere. */
function isMoreSpecial(path: string, other: string): boolean {
  const [parts, others] = [path.split('/'), other.split('/')];
  return (
    path !== other &&
    parts.length === others.length &&
    parts.every((part, at) => part === others[at] || (isParameter(others[at]) && !isParameter(part)))
  );
}

function isParameter(part = ''): boolean {
  return part.startsWith(':');
}
