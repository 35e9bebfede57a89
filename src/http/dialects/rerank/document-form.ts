/** How a document is given back: as the string it was, or as an object with its text. */
export type DocumentForm = 'string' | 'object';

/** JSON text of a document in each form. */
export const DOCUMENT_JSON: Readonly<Record<DocumentForm, (text: string) => string>> = {
  string: (text) => JSON.stringify(text),
  object: (text) => `{"text":${JSON.stringify(text)}}`,
};
