/**
 * What `promise` gives, or a rejection when that takes longer than `limitMs`. What has arrived while this thread was busy
 * is looked at first: being busy is not the other side's fault.
 */
export function withinMs<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${Math.round(limitMs)} ms`));
    const timer = setTimeout(() => setImmediate(late), limitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
