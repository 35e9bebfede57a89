import { ServiceError } from '../../../contracts/errors.ts';

/** Classes of `torch.nn`, each with the Hugging Face name of the same function (see layers/activation.ts). */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['GELU', 'gelu'],
  ['Identity', 'linear'],
  ['LeakyReLU', 'leaky_relu'],
  ['Mish', 'mish'],
  ['ReLU', 'relu'],
  ['Sigmoid', 'sigmoid'],
  ['SiLU', 'silu'],
  ['Tanh', 'tanh'],
]);

/**
 * Hugging Face's name of the activation that a class path such as `torch.nn.modules.activation.Tanh` stands for. The class
 * is never loaded. Throws `unsupported_architecture` for any other; `field` says where the path was found.
 */
export function torchActivation(classPath: string, field: string): string {
  const name = classPath.startsWith('torch.nn.') ? NAMES.get(classPath.split('.').at(-1) ?? '') : undefined;
  if (name !== undefined) return name;
  throw new ServiceError(
    'unsupported_architecture',
    `${field} is '${classPath.slice(0, 200)}', expected one of ${[...NAMES.keys()].join(', ')} of torch.nn`,
  );
}
