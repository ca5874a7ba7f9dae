/** The field a caller most likely meant: `replyTo` → `reply_to`, `form` → `from`, `inline_content_id` → `content_id`. */
export function didYouMean(given: string, known: readonly string[]): string | undefined {
  const plain = letters(given);
  return (
    known.find((name) => letters(name) === plain) ??
    known.find((name) => isNear(letters(name), plain)) ??
    longest(known.filter((name) => letters(name).length > 5 && plain.includes(letters(name))))
  );
}

function longest(names: readonly string[]): string | undefined {
  return names.toSorted((a, b) => b.length - a.length)[0];
}

function letters(name: string): string {
  return name
    .slice(0, 40)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

/** One letter too many, too few or wrong, or two neighbours swapped. */
function isNear(a: string, b: string): boolean {
  if (a.length < 3 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const restOfA = a.slice(start);
  const restOfB = b.slice(start);
  return (
    restOfA.slice(1) === restOfB.slice(1) ||
    restOfA.slice(1) === restOfB ||
    restOfA === restOfB.slice(1) ||
    (restOfA.slice(2) === restOfB.slice(2) && restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0])
  );
}
