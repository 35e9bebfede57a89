import { expect, test } from 'vitest';
import type { ModelState } from '../contracts/engine.ts';
import { refuseUnloaded } from './refuse-unloaded.ts';

const slot = (state: ModelState, reason?: string) => ({ servedName: 'a', state, reason });

test('models that are all ready are a success', () => {
  expect(() => refuseUnloaded([slot('ready'), slot('ready')])).not.toThrow();
});

test('a signal before all models are loaded is no success', () => {
  expect(() => refuseUnloaded([slot('ready'), slot('loading')])).toThrow("Stopped before 'a' was loaded");
});

test('a model that failed is named with its reason', () => {
  expect(() => refuseUnloaded([slot('loading'), slot('failed', 'no weights')])).toThrow(
    "Model 'a' could not be loaded: no weights",
  );
});
