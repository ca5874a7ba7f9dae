import { textOfHtml } from './text-of-html.js';

describe('textOfHtml', () => {
  it.each([
    ['<p>Your message<br>to&nbsp;<b>a@to.test</b></p>', '\nYour message\nto a@to.test \n'],
    ['<TITLE>Undeliverable</TITLE><style>p { }</style>no', ' no'],
    ['&lt;a@to.test&gt; &#85;nknown &#9999999; &#x;', '<a@to.test> Unknown &#9999999; &#x;'],
    ['1 < 2 <', '1 < 2 <'],
  ])('reads %j as %j', (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });
});
