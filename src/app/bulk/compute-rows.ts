import type { BulkTask } from '../../contracts/bulk-request.ts';
import type { Engine } from '../../contracts/engine.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { NumbersField } from '../../records/output-row.ts';
import type { Row } from '../../records/row.ts';

/** A row with its position in the input, from 0. */
export interface IndexedRow {
  readonly index: number;
  readonly row: Row;
}

export function numbersField({ kind }: BulkTask): NumbersField {
  return kind === 'embed' ? { name: 'embedding', isSingle: false } : { name: 'score', isSingle: true };
}

/** The texts that a task reads of a row. Throws `invalid_request` where one is missing. */
export function textsOf(task: BulkTask, { index, row }: IndexedRow): readonly string[] {
  const fields = task.kind === 'embed' ? [task.textField] : [task.queryField, task.documentField];
  return fields.map((field) => {
    const text = row[field];
    if (typeof text === 'string') return text;
    const names = Object.keys(row).slice(0, 10).join(', ');
    const actual = text === undefined ? `the fields ${names}` : 'a value of another kind';
    throw new ServiceError('invalid_request', `row ${index + 1}: expected text in the field '${field}', got ${actual}`);
  });
}

/** The numbers of each row, in order. */
export async function computeRows(
  task: BulkTask,
  rows: readonly IndexedRow[],
  engine: Engine,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const texts = rows.map((row) => textsOf(task, row));
  if (task.kind === 'embed') {
    const request = {
      model: undefined,
      texts: texts.map(([text = '']) => text),
      outputs: ['dense'],
      dtypes: ['float32'],
    } as const;
    const { dense } = await engine.embed(request, { signal });
    return (dense[0]?.vectors ?? []).map((vector) => Float32Array.from(vector));
  }
  const groups = groupByQuery(texts.map(([query = '', document = '']) => ({ query, document })));
  const scores = await Promise.all(
    groups.map(async ({ query, documents }) => {
      const request = { model: undefined, query, documents, rawScores: task.rawScores };
      const { results } = await engine.rerank(request, { signal });
      const inOrder = new Float32Array(documents.length);
      for (const { index, score } of results) inOrder[index] = score;
      return [...inOrder].map((score) => Float32Array.of(score));
    }),
  );
  return scores.flat();
}

/** Neighbours with one query are one request: the query is then encoded once. */
function groupByQuery(pairs: readonly { query: string; document: string }[]): { query: string; documents: string[] }[] {
  const groups: { query: string; documents: string[] }[] = [];
  for (const { query, document } of pairs) {
    const last = groups.at(-1);
    if (last?.query === query) last.documents.push(document);
    else groups.push({ query, documents: [document] });
  }
  return groups;
}
