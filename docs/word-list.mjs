/**
 * Words and turns that the project does not use, each with what to write instead. `where` limits a rule: `start` looks
 * only at the beginning of a sentence. Patterns ignore case.
 */
export const words = [
  {
    pattern:
      /^(?:of |to |by |for |from )?(?:what|whatever|who|whoever|whom|whose|whosoever|whichever|whyever)\b(?![^.!]*\?)/,
    where: 'start',
    instead: 'a sentence with a subject and a verb: say the thing itself',
  },
  {
    pattern: /^(?:that which|those which|those who|he who|all that|neither:|none but)\b/,
    where: 'start',
    instead: 'a sentence with a subject and a verb: say the thing itself',
  },
  {
    pattern: /\b(?:whoever|whomever|whosoever|whyever|whichsoever)\b/,
    instead: 'name the thing: a request, a caller, a worker',
  },
  {
    pattern: /\b(?:he|she|him|his|hers|himself|herself)\b/,
    instead: '"it", or the name of the thing: things have no gender',
  },
  { pattern: /\b(?:is|are|was|were) wont\b/, instead: '"usually"' },
  { pattern: /\banew\b/, instead: '"again"' },
  { pattern: /\bfor good\b/, instead: '"permanently"' },
  { pattern: /\btwo times\b/, instead: '"twice"' },
  {
    pattern: /\bso many (?:bytes|characters|milliseconds|seconds|rows|emails|items|of)\b/,
    instead: 'the unit: "Bytes.", "Milliseconds."',
  },
  { pattern: /\bbeside\b/, instead: '"next to", "alongside", or "while … runs"' },
  { pattern: /\bowed\b/, instead: '"pending"' },
  { pattern: /\b(?:told|untold)\b/, instead: '"notified", "informed", "reported", or "distinguished"' },
  {
    pattern: /\btells? (?:apart|it|them|the|whoever|a|an|everybody|nobody|somebody)\b/,
    instead: '"notify", "report", "distinguish"',
  },
  { pattern: /\bin vain\b/, instead: '"without success"' },
  {
    pattern: /\b(?:whereof|wherewith|thereof|therein|hitherto|thither|whither|hence|lest|save for|nought|naught)\b/,
    instead: 'the everyday word',
  },
  {
    pattern: /\b(?:everybody|nobody|somebody) else(?:'s)?\b/,
    instead: '"another account", "another caller", "another process"',
  },
  { pattern: /\bof one's own\b/, instead: '"separate", "dedicated"' },
  { pattern: /\bgoes another way\b|\bway out\b/, instead: '"connection", "another connection"' },
  { pattern: /\bat most as many\b/, instead: '"limit"' },
  { pattern: /\bthat (?:is|are) none\b/, instead: '"does not exist", "is not one"' },
];
