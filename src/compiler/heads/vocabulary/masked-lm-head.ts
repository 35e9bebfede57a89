import type { VocabularyHead } from '../../architectures/architecture.ts';
import { activation } from '../../layers/activation.ts';
import { layerNorm } from '../../layers/layer-norm.ts';
import { linear } from '../../layers/linear.ts';

export interface MaskedLmOptions {
  /** Paths from the checkpoint's top. */
  readonly dense: string;
  readonly norm: string;
  /** Holds `weight`, unless it is tied, and `bias`. */
  readonly decoder: string;
  /** Full name of the bias where it lies outside of the decoder. */
  readonly bias?: string;
  /** Name of the embedding matrix in the body: what a tied decoder is. */
  readonly embeddings: string;
  readonly tied: boolean;
  readonly vocabularySize: number;
  /** Width of the embeddings. */
  readonly width: number;
  /** Hugging Face's name of the activation. */
  readonly activation: string;
  readonly epsilon: number;
  /** Whether the linear layer, the norm and the matrix have biases; true where not given. */
  readonly denseBias?: boolean;
  readonly normBias?: boolean;
  readonly decoderBias?: boolean;
}

/**
 * A linear layer, an activation, a norm, and a matrix that is the embeddings again (`tie_word_embeddings`) or one of its own.
 * Reference: BertLMPredictionHead in
 * https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/bert/modeling_bert.py
 */
export function maskedLmHead(options: MaskedLmOptions): VocabularyHead {
  const { width, vocabularySize, denseBias = true, normBias = true, decoderBias: hasBias = true } = options;
  const decoderBias = `${options.decoder}.bias`;
  return {
    anchor: `${options.dense}.weight`,
    transform(g, root, _body, hidden) {
      const x = activation(
        g,
        options.activation,
        linear(g, root.at(options.dense), hidden, width, { bias: denseBias }),
      );
      return layerNorm(g, root.at(options.norm), x, options.epsilon, { bias: normBias });
    },
    decoder(root, body) {
      const dims = [vocabularySize, width];
      const own = root.at(options.decoder);
      if (options.tied) own.ignore('weight');
      const weight = options.tied ? body.read(options.embeddings, dims) : own.read('weight', dims);
      if (!hasBias) return { weight, bias: undefined };
      const bias = options.bias !== undefined && root.has(options.bias) ? options.bias : decoderBias;
      root.ignore(decoderBias);
      return { weight, bias: root.read(bias, [vocabularySize]) };
    },
  };
}
