import { ServiceError } from '../../../contracts/errors.ts';
import { ConfigFields } from '../../config/config-fields.ts';
import { activation } from '../../layers/activation.ts';
import { linear } from '../../layers/linear.ts';
import { torchActivation } from './torch-activation.ts';
import type { ConfigureVectorModule } from './vector-module.ts';

/**
 * A linear layer and an activation, with weights in a file of its own.
 * Source: https://github.com/UKPLab/sentence-transformers/blob/v3.4.1/sentence_transformers/models/Dense.py
 */
export const dense: ConfigureVectorModule = (module, width) => {
  const fileName = `${module.path}/config.json`;
  if (module.config === undefined) {
    throw new ServiceError('invalid_model_folder', `modules.json lists ${module.type}, but ${fileName} is missing`);
  }
  const fields = new ConfigFields(module.config, fileName);
  const inFeatures = fields.positiveInteger('in_features');
  if (inFeatures !== width) {
    throw new ServiceError('invalid_model_folder', `${fileName}: in_features is ${inFeatures}, expected ${width}`);
  }
  if (fields.flag('use_residual', false)) {
    throw new ServiceError('unsupported_architecture', `${fileName}: use_residual is true, expected false`);
  }
  const outFeatures = fields.positiveInteger('out_features');
  const bias = fields.flag('bias', true);
  const classPath = fields.text('activation_function', 'torch.nn.modules.activation.Tanh');
  const name = torchActivation(classPath, `${fileName}: activation_function`);
  return {
    width: outFeatures,
    apply: (g, w, x) => activation(g, name, linear(g, w.at('linear'), x, outFeatures, { bias })),
  };
};
