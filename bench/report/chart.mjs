// Bars of tokens/s, one group for each cell, as the text of an SVG file.
import { nameOf } from '../cells.mjs';
import { short } from './result-rows.mjs';

/** @typedef {import('../measure-cell.mjs').CellResult} CellResult */

const LABEL_WIDTH = 230;
const BARS_WIDTH = 520;
const VALUE_WIDTH = 70;
const BAR_HEIGHT = 16;
const GROUP_GAP = 12;
const TOP = 56;
const COLORS = ['#2563eb', '#d97706'];
const LIMIT_COLOR = '#b91c1c';
const CHARACTER_WIDTH = 7;

/** @param {string} value */
function escapeXml(value) {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/**
 * @param {readonly CellResult[]} results
 * @param {string} title
 */
export function chart(results, title) {
  const shown = results.filter(({ servers }) => servers.length > 0);
  const names = shown[0]?.servers.map(({ server }) => server) ?? [];
  const most = Math.max(
    1,
    ...shown.flatMap(({ limitTokensPerSecond = 0, servers }) => [
      limitTokensPerSecond,
      ...servers.map(({ tokensPerSecond }) => tokensPerSecond),
    ]),
  );
  const groupHeight = names.length * BAR_HEIGHT + GROUP_GAP;
  const width = LABEL_WIDTH + BARS_WIDTH + VALUE_WIDTH;
  const height = TOP + shown.length * groupHeight + GROUP_GAP;
  const groups = shown.map((result, index) => group(result, TOP + index * groupHeight, most));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="10" y="20" font-size="14" font-weight="bold">${escapeXml(title)}</text>
${legend(
  names,
  shown.some(({ limitTokensPerSecond }) => limitTokensPerSecond !== undefined),
)}
${groups.join('\n')}
</svg>
`;
}

/**
 * @param {readonly string[]} names
 * @param {boolean} hasLimit
 */
function legend(names, hasLimit) {
  const entries = [
    ...names.map((name, index) => ({ name, color: colorOf(index) })),
    ...(hasLimit ? [{ name: 'bare ONNX Runtime runs of the same ids', color: LIMIT_COLOR }] : []),
  ];
  let x = 10;
  return entries
    .map(({ name, color }) => {
      const mark = `<rect x="${x}" y="31" width="10" height="10" fill="${color}"/><text x="${x + 15}" y="40">${escapeXml(name)}</text>`;
      x += 35 + name.length * CHARACTER_WIDTH;
      return mark;
    })
    .join('\n');
}

/**
 * @param {CellResult} result
 * @param {number} y
 * @param {number} most tokens/s at the right end
 */
function group({ cell, limitTokensPerSecond, servers }, y, most) {
  const scale = (/** @type {number} */ value) => Math.round((value / most) * BARS_WIDTH);
  const height = servers.length * BAR_HEIGHT;
  const label = `<text x="${LABEL_WIDTH - 8}" y="${y + height / 2 + 4}" text-anchor="end">${escapeXml(nameOf(cell))}</text>`;
  const bars = servers.map(({ tokensPerSecond }, index) => {
    const top = y + index * BAR_HEIGHT;
    const length = scale(tokensPerSecond);
    return `<rect x="${LABEL_WIDTH}" y="${top}" width="${length}" height="${BAR_HEIGHT - 2}" fill="${colorOf(index)}"/><text x="${LABEL_WIDTH + length + 5}" y="${top + 11}">${short(tokensPerSecond)}</text>`;
  });
  if (limitTokensPerSecond === undefined) return [label, ...bars].join('\n');
  const x = LABEL_WIDTH + scale(limitTokensPerSecond);
  const limit = `<line x1="${x}" y1="${y - 3}" x2="${x}" y2="${y + height + 1}" stroke="${LIMIT_COLOR}" stroke-width="2"/>`;
  return [label, ...bars, limit].join('\n');
}

/** @param {number} index */
function colorOf(index) {
  return COLORS[index % COLORS.length] ?? '#000000';
}
