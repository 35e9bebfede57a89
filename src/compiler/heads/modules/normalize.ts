import type { ConfigureVectorModule } from './vector-module.ts';

/** Divides each vector by its length; the zero vector stays zero. */
export const normalize: ConfigureVectorModule = (_module, width) => ({
  width,
  apply: (g, _w, x) => g.node('LpNormalization', [x], { attributes: { axis: { int: -1 }, p: { int: 2 } } }),
});
