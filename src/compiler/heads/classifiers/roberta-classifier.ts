import { denseClassifier } from './dense-classifier.ts';

/** RobertaClassificationHead, which MPNet and Jina's XLM-RoBERTa have too: always tanh, whatever `hidden_act` says. */
export const robertaClassifier = denseClassifier({
  dense: (root) => root.at('classifier.dense'),
  activation: 'tanh',
  output: 'classifier.out_proj',
});
