import { describeConfig } from './describe-config.ts';

// Configs that the models of public/ do not have; the scripts in configs/ say what is unusual in each.
describeConfig('roberta', 46);
describeConfig('distilbert', 50);
describeConfig('mpnet', 200);
describeConfig('albert', 50);
describeConfig('electra', 50);
describeConfig('roberta-splade', 49);
describeConfig('albert-splade', 50);
describeConfig('electra-splade', 50);
describeConfig('mpnet-splade', 48);
describeConfig('modernbert-splade', 50);
describeConfig('modernbert-first', 50);
describeConfig('ernie', 50);
describeConfig('ernie-splade', 50);
describeConfig('deberta-own-keys', 50);
describeConfig('deberta-c2p', 50);
describeConfig('deberta-p2c', 50);
describeConfig('deberta-content-only', 50);
describeConfig('modernbert-layers', 50);
describeConfig('nomic-native', 50);
describeConfig('gte-native', 50);
describeConfig('nomic-half', 50);
describeConfig('nomic-absolute', 50);
describeConfig('nomic-dynamic', 50);
describeConfig('nomic-experts', 50);
describeConfig('new-apart', 50);
describeConfig('new-absolute', 50);
