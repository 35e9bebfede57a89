import { ServiceError } from '../../contracts/errors.ts';
import type { JsonObject, JsonValue } from '../../contracts/json.ts';

/** Guards the length of the graph, since some families share the weights of all layers. The deepest known have 126. */
const MOST_LAYERS = 1000;
/** Guards tables that are computed before a tensor is looked at. The widest known layers have 53,248. */
const MOST_WIDTH = 2 ** 17;
/** Of everything else: entries of a vocabulary, positions, ids. The longest known context has 10 million. */
const MOST = 2 ** 24;

function mostOf(field: string): number {
  if (/layers?$/.test(field)) return MOST_LAYERS;
  return /(?:size|dim|heads|features)$/.test(field) && !field.startsWith('vocab') ? MOST_WIDTH : MOST;
}

/**
 * Reads fields of a model's JSON file. A field that is missing or null takes the fallback, which is the default of the
 * reference's config class; without one it is an error. Throws `invalid_model_folder` with field, expected and actual.
 */
export class ConfigFields {
  readonly #json: JsonObject;
  readonly #fileName: string;

  constructor(json: JsonObject, fileName: string) {
    this.#json = json;
    this.#fileName = fileName;
  }

  positiveInteger(field: string, fallback?: number): number {
    return this.#integer(field, fallback, 1, 'a positive whole number');
  }

  /** Sizes that may be 0 where a part is left out. */
  wholeNumber(field: string, fallback?: number): number {
    return this.#integer(field, fallback, 0, 'a whole number, 0 or more');
  }

  positiveNumber(field: string, fallback?: number): number {
    return this.#read(field, fallback, 'a positive number', (value) =>
      typeof value === 'number' && value > 0 ? value : undefined,
    );
  }

  fraction(field: string, fallback?: number): number {
    return this.#read(field, fallback, 'a number from 0 to 1', (value) =>
      typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined,
    );
  }

  text(field: string, fallback?: string): string {
    return this.#read(field, fallback, 'a text', (value) => (typeof value === 'string' ? value : undefined));
  }

  flag(field: string, fallback?: boolean): boolean {
    return this.#read(field, fallback, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  #integer(field: string, fallback: number | undefined, least: number, words: string): number {
    const most = mostOf(field);
    const expected = Number(this.#json[field]) > most ? `${words} up to ${most}` : words;
    return this.#read(field, fallback, expected, (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined,
    );
  }

  #read<T>(field: string, fallback: T | undefined, expected: string, parse: (value: JsonValue) => T | undefined): T {
    const value = this.#json[field];
    const parsed = value === undefined || value === null ? fallback : parse(value);
    if (parsed !== undefined) return parsed;
    const actual = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
    throw new ServiceError(
      'invalid_model_folder',
      `${this.#fileName}: field '${field}' should be ${expected}, got ${actual}`,
    );
  }
}
