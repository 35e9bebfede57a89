import type { LogFields } from '../contracts/logger.ts';

/** Control characters and the separators that some viewers take for a line end. */
const LINE_BREAKING = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * One line of plain text: `INFO: message key=value`. Whatever a message or a value holds, it cannot begin a new line or
 * move a terminal's cursor, so that nothing from outside can look like a line of ours.
 */
export function formatLogLine(label: string, message: string, fields: LogFields = {}): string {
  let line = `${label}: ${escaped(message)}`;
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined) line += ` ${key}=${typeof value === 'string' ? quotedIfNeeded(value) : value}`;
  }
  return `${line}\n`;
}

function escaped(text: string): string {
  return text.replace(LINE_BREAKING, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return SHORT_ESCAPES[character] ?? `\\u${code.padStart(4, '0')}`;
  });
}

function quotedIfNeeded(value: string): string {
  const plain = escaped(value);
  if (value !== '' && !/[\s"=\\]/.test(value)) return plain;
  return `"${escaped(value.replace(/["\\]/g, '\\$&'))}"`;
}
