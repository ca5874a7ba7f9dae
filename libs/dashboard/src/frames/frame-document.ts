import type { ServerResponse } from 'node:http';
import { answerInPieces } from 'nestjs-emails';
import { endOfSlice } from './frame-slices.js';

/**
 * Limits of a stranger's html in its frame: it has no origin, runs and sends nothing, navigates nothing, and loads
 * nothing, except images when the reader has asked for them. Its links open in a new tab. The limits also apply when
 * the address is opened directly. Tried with about two dozen kinds of remote references.
 */
export function framePolicy(withImages: boolean): string {
  return [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${withImages ? ' http: https:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/** Wishes of the reader for a frame. */
export interface FrameOptions {
  /** Loads remote images. */
  withImages?: boolean;
  /** Shown on a dark ground, as by a mail program in a dark theme. */
  isDark?: boolean;
}

/**
 * Answers with a stranger's html, for a frame of the page. Browsers ignore a second doctype in it. The pieces are made
 * one after the other, at the speed of the client.
 */
export async function answerFrame(
  response: ServerResponse,
  pieces: Iterable<string>,
  { withImages = false, isDark = false }: FrameOptions = {},
): Promise<void> {
  response.setHeader('content-security-policy', framePolicy(withImages));
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-robots-tag', 'noindex');
  await answerInPieces(response, 200, framed(startOf(isDark), pieces), 'text/html');
}

function startOf(isDark: boolean): string {
  return `<!doctype html><meta charset="utf-8"><base target="_blank">${isDark ? '<meta name="color-scheme" content="dark">' : ''}`;
}

function* framed(start: string, pieces: Iterable<string>): Generator<string> {
  yield start;
  yield* pieces;
}

/** The html that shows a text, in pieces. */
export function* asHtml(text: string): Generator<string> {
  yield '<pre style="font: 14px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere">';
  for (let start = 0; start < text.length; ) {
    const end = endOfSlice(text, start);
    yield text.slice(start, end).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    start = end;
  }
  yield '</pre>';
}
