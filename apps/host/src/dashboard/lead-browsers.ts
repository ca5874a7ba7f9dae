import type { RequestHandler } from 'express';

/**
 * Leads people to the page, and leaves programs what they always got: a browser asks for html first.
 *
 * @param ways from a path to where its page is
 */
export function leadBrowsers(ways: Readonly<Record<string, string>>): RequestHandler {
  return (request, response, next) => {
    // What was handed over to the API has another path than the one that was asked for.
    const isAsked = request.method === 'GET' && request.url === request.originalUrl;
    const place = isAsked ? ways[request.path] : undefined;
    if (place === undefined || request.accepts(['application/json', 'text/html']) !== 'text/html') return next();
    response.redirect(303, place);
  };
}
