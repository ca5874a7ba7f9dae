import type { RequestHandler } from 'express';

/**
 * Redirects browsers, which prefer html, to the page, and keeps the answers for programs.
 *
 * @param targets maps a path to the path of its page
 */
export function redirectBrowsers(targets: Readonly<Record<string, string>>): RequestHandler {
  return (request, response, next) => {
    // A request handed over to the API has another path than the original one.
    const isAsked = request.method === 'GET' && request.url === request.originalUrl;
    const target = isAsked ? targets[request.path] : undefined;
    if (target === undefined || request.accepts(['application/json', 'text/html']) !== 'text/html') return next();
    response.redirect(303, target);
  };
}
