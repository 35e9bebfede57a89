import type { JsonObject } from './json.ts';

/** One row of a sentence-transformers `modules.json`, with the `config.json` of the module's own folder. */
export interface ModelModule {
  /** The last part of the Python class path: `Transformer`, `Pooling`, `Normalize`, `Dense`, ... */
  readonly type: string;
  /** Folder relative to the model folder; empty for the model folder itself. */
  readonly path: string;
  readonly config: JsonObject | undefined;
}

/** A model's files in Hugging Face layout, with the small ones parsed. Made by `hub`; read by `compiler` and `tokenization`. */
export interface ModelFolder {
  /** The id that was asked for: `BAAI/bge-small-en-v1.5`, or the path of a local folder. */
  readonly id: string;
  /** Absolute path. */
  readonly path: string;
  /** Names of all files, relative to `path`, with `/`. */
  readonly files: readonly string[];
  /** `config.json`. */
  readonly config: JsonObject;
  /** `modules.json`; empty when there is none. */
  readonly modules: readonly ModelModule[];
  /** `sentence_bert_config.json`. */
  readonly sentenceBertConfig: JsonObject | undefined;
  /** `config_sentence_transformers.json`. */
  readonly sentenceTransformersConfig: JsonObject | undefined;
  /** `tokenizer_config.json`. */
  readonly tokenizerConfig: JsonObject | undefined;
}
