import type { JsonObject } from '../../contracts/json.ts';
import { type FollowedValues, refuseFields } from './refuse-fields.ts';

/** Code of a model is never run, so `auto_map` is not followed whatever it names. */
const FOLLOWED: FollowedValues = {
  auto_map: [],
  position_embedding_type: ['absolute'],
  is_decoder: [false],
  add_cross_attention: [false],
  pruned_heads: [{}],
  quantization_config: [],
};

/** Refuses what no encoder with a table of positions follows. Errors as `refuseFields`. */
export function refuseEncoderFields(family: string, config: JsonObject): void {
  refuseFields(config, family, FOLLOWED);
}
