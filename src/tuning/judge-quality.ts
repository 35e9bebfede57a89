import type { Quality } from '../contracts/compiled-model.ts';

/** What a graph may lose. */
export interface QualityLimits {
  readonly leastCosine: number;
  readonly medianCosine: number;
  readonly greatestScoreDifference: number;
}

/** Below these a model no longer answers as its authors meant it to. */
export const INT8_LIMITS: QualityLimits = { leastCosine: 0.98, medianCosine: 0.99, greatestScoreDifference: 0.1 };

/** What nobody notices: the choice of the fastest graph must not change answers. */
export const FASTEST_LIMITS: QualityLimits = {
  leastCosine: 0.9995,
  medianCosine: 0.9995,
  greatestScoreDifference: 0.005,
};

export function isWithin(quality: Quality, limits: QualityLimits): boolean {
  const { leastCosine = 1, medianCosine = 1, greatestScoreDifference = 0 } = quality;
  return (
    leastCosine >= limits.leastCosine &&
    medianCosine >= limits.medianCosine &&
    greatestScoreDifference <= limits.greatestScoreDifference
  );
}

/** The figures in words, for logs. */
export function describeQuality(quality: Quality): string {
  const { texts, leastCosine, medianCosine, greatestScoreDifference } = quality;
  const parts = [
    ...(leastCosine === undefined ? [] : [`cosine at least ${leastCosine.toFixed(4)}`]),
    ...(medianCosine === undefined ? [] : [`median ${medianCosine.toFixed(4)}`]),
    ...(greatestScoreDifference === undefined ? [] : [`scores within ${greatestScoreDifference.toFixed(4)}`]),
  ];
  return `${parts.join(', ')} of float32 over ${texts} texts`;
}
