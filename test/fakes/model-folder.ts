import type { ModelFolder } from '../../src/contracts/model-folder.ts';

/** A model folder that is nowhere on disk, for code that reads its parsed files only. */
export function fakeModelFolder(fields: Partial<ModelFolder> = {}): ModelFolder {
  return {
    id: 'org/model',
    path: '/nowhere',
    files: [],
    config: {},
    modules: [],
    sentenceBertConfig: undefined,
    sentenceTransformersConfig: undefined,
    tokenizerConfig: undefined,
    ...fields,
  };
}
