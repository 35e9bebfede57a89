/** Runs tasks in the background, each after the one before; a task must not reject. */
export function oneAtATime(): (task: () => Promise<void>) => void {
  let last = Promise.resolve();
  return (task) => {
    last = last.then(task);
  };
}
