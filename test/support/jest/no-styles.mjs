/** What a style sheet of the page is to its unit tests. */
export {};
