import type { ExternalData } from './onnx-model.ts';
import type { ProtoFile, Region } from './proto-file.ts';

/** `length` may be missing: to the end of the file then. */
export const TO_THE_END = -1;

function wholeNumber(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** StringStringEntryProto { key, value } */
function readEntry(file: ProtoFile, region: Region): readonly [string, string] {
  const texts = new Map([...file.fields(region)].map(({ number, region: inner }) => [number, file.text(inner)]));
  return [texts.get(1) ?? '', texts.get(2) ?? ''];
}

/**
 * Where a weight says that it lies: `location`, `offset`, `length`. Only files in the graph's own folder or below it are
 * taken. Throws `invalid_checkpoint` for any other.
 */
export function readExternalData(file: ProtoFile, entries: readonly Region[], name: string): ExternalData {
  const texts = new Map(entries.map((entry) => readEntry(file, entry)));
  const fileName = (texts.get('location') ?? '').replace(/^\.\//, '');
  const byteOffset = wholeNumber(texts.get('offset'), 0);
  const byteLength = wholeNumber(texts.get('length'), TO_THE_END);
  const isBeside = fileName !== '' && !/^[/\\]|^[a-z]:|\\|\0/i.test(fileName) && !fileName.split('/').includes('..');
  if (isBeside && !Number.isNaN(byteOffset) && !Number.isNaN(byteLength)) return { fileName, byteOffset, byteLength };
  throw file.damaged(`got a weight '${name.slice(0, 200)}' outside the model's folder, or at no place`);
}
