/**
 * The first `characters` UTF-16 units of a text, or one fewer where that would split a surrogate pair. Returns the text
 * itself when it is not longer.
 */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const last = text.charCodeAt(characters - 1);
  const next = text.charCodeAt(characters);
  const splitsPair = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return text.slice(0, splitsPair ? characters - 1 : characters);
}
