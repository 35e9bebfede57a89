import { describeGolden } from './describe-golden.ts';
import { testOneTokenAlone } from './traced-tokens.ts';

const attention = (name: string) => ['q', 'k', 'v', 'o'].map((each) => `${name}.${each}.weight`);

/** What a decoder of one block with a gated feed-forward part has. */
const DECODER = [
  'decoder.final_layer_norm.weight',
  'decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight',
  ...attention('decoder.block.0.layer.0.SelfAttention'),
  ...attention('decoder.block.0.layer.1.EncDecAttention'),
  ...['wi_0', 'wi_1', 'wo'].map((each) => `decoder.block.0.layer.2.DenseReluDense.${each}.weight`),
  ...[0, 1, 2].map((index) => `decoder.block.0.layer.${index}.layer_norm.weight`),
];

describeGolden('t5-embed', { task: 'embed' });
describeGolden('t5-gated', { task: 'embed', unread: DECODER });
testOneTokenAlone('t5-embed');
