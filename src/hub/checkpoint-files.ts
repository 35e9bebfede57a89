/** Files beside the weights that a start reads, in the model folder and in the folders of its modules. */
const SMALL_FILE =
  /^(?:config|modules|tokenizer|tokenizer_config|special_tokens_map|added_tokens|vocab|preprocessor_config|processor_config|generation_config|config_sentence_transformers|sentence_\w+_config)\.json$|^(?:vocab|merges)\.txt$|^[\w.-]+\.model$|^chat_template\.jinja$|^artifact\.metadata$|^(?:sparse|colbert)_linear\.pt$/;

/** The first form that is there is taken alone: never `.bin` beside safetensors. */
const WEIGHT_FORMS: readonly (readonly RegExp[])[] = [
  [/^model\.safetensors$/],
  [/^model\.safetensors\.index\.json$/, /^model-\d+-of-\d+\.safetensors$/],
  [/^pytorch_model\.bin$/],
  [/^pytorch_model\.bin\.index\.json$/, /^pytorch_model-\d+-of-\d+\.bin$/],
];

/**
 * The files that serving a checkpoint needs, of all that its repository holds: weights in one form, tokenizer and
 * configuration. `modulePaths` are the folders that `modules.json` names. Everything else (ONNX variants, TensorFlow and
 * Flax weights, pictures, results) stays where it is.
 */
export function checkpointFiles(names: readonly string[], modulePaths: readonly string[]): string[] {
  const folders = new Set(['', ...modulePaths]);
  return [...folders].flatMap((folder) => {
    const prefix = folder === '' ? '' : `${folder}/`;
    const inside = names
      .filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/'))
      .map((name) => name.slice(prefix.length));
    const weights = WEIGHT_FORMS.map((form) => inside.filter((name) => form.some((pattern) => pattern.test(name))));
    const chosen = weights.find((found) => found.length > 0) ?? [];
    return [...inside.filter((name) => SMALL_FILE.test(name)), ...chosen].map((name) => prefix + name);
  });
}

/** Whether it holds weights of the model itself. */
export function isWeightFile(name: string): boolean {
  const base = name.split('/').at(-1) ?? '';
  return WEIGHT_FORMS.some((form) => form.some((pattern) => pattern.test(base)));
}
