/**
 * Lines of columns: the first on the left, numbers on the right.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 * @param {number} leftColumns how many columns are words
 */
export function table(head, rows, leftColumns = 1) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        return column < leftColumns ? cell.padEnd(width) : cell.padStart(width);
      })
      .join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column < leftColumns ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
