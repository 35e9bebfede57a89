import type { OnQualityLoss } from '../contracts/compile-job.ts';
import type { ModelSettings } from '../settings/serve-settings.ts';

type QualitySettings = Pick<ModelSettings, 'dtype' | 'strictDtype' | 'forceDtype'>;

/** What the settings want where an int8 graph fails its check; of all else there is one graph, whatever the flags say. */
export function onQualityLossOf({ dtype, strictDtype, forceDtype }: QualitySettings): OnQualityLoss {
  if (dtype !== 'int8') return 'fall-back';
  if (forceDtype) return 'keep';
  return strictDtype ? 'refuse' : 'fall-back';
}
