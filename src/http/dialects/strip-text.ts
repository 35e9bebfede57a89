/** What Python's `str.isspace` accepts: it has the separators U+001C to U+001F and U+0085, and not U+FEFF, unlike `trim`. */
const WHITESPACE =
  '\t\n\v\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** By code unit, so that megabytes of whitespace take milliseconds. */
const IS_WHITESPACE = new Uint8Array(0x10000);
for (let index = 0; index < WHITESPACE.length; index += 1) IS_WHITESPACE[WHITESPACE.charCodeAt(index)] = 1;

/** Strips both ends as Python's `str.strip()` does: the original embeds, counts and returns the stripped text. */
export function stripText(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && IS_WHITESPACE[text.charCodeAt(start)] === 1) start += 1;
  while (end > start && IS_WHITESPACE[text.charCodeAt(end - 1)] === 1) end -= 1;
  return text.slice(start, end);
}
