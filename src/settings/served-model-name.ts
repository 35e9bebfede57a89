/** The name of a model that was given none: the last two parts of its id or path. */
export function defaultServedModelName(modelId: string): string {
  const parts = modelId.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? modelId : parts.slice(-2).join('/');
}
