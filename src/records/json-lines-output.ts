import { rename } from 'node:fs/promises';
import type { OutputFormat } from './output-formats.ts';
import type { NumbersField } from './output-row.ts';

/** `{"index":0,"id":"a","embedding":[…]}`, a line for each row. */
export function jsonLinesOutput({ name, isSingle }: NumbersField): OutputFormat {
  return {
    encode(rows) {
      const lines = rows.map(({ index, kept, numbers }) => {
        const fields = JSON.stringify({ index, ...kept });
        return `${fields.slice(0, -1)},"${name}":${isSingle ? numbers[0] : `[${numbers.join(',')}]`}}\n`;
      });
      return Buffer.from(lines.join(''));
    },
    finish: (partial, target) => rename(partial, target),
  };
}
