/** @typedef {import('./load/workload.mjs').Cell} Cell */

/**
 * Every combination that was asked for, in the order of the table.
 *
 * @param {Pick<import('./options.mjs').Options, 'tasks' | 'lengths' | 'concurrency' | 'texts' | 'documents'>} options
 * @returns {readonly Cell[]}
 */
export function cellsOf({ tasks, lengths, concurrency, texts, documents }) {
  return tasks.flatMap((task) =>
    (task === 'embed' ? texts : [documents]).flatMap((items) =>
      lengths.flatMap((length) => concurrency.map((clients) => ({ task, length, items, clients }))),
    ),
  );
}

/**
 * @param {Cell} cell
 * @returns such as `embed 32 x mixed, 8 clients`
 */
export function nameOf({ task, length, items, clients }) {
  return `${task} ${items} x ${length}, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
}
