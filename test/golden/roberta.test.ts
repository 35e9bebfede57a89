import { describeGolden } from './describe-golden.ts';

const POOLER = ['pooler.dense.bias', 'pooler.dense.weight'];

describeGolden('roberta-embed', { task: 'embed', unread: POOLER });
describeGolden('roberta-classify', { task: 'classify' });
describeGolden('roberta-regression', { task: 'classify' });
describeGolden('xlmr-embed', { task: 'embed', unread: POOLER });
describeGolden('xlmr-reranker', { task: 'rerank' });
describeGolden('camembert-embed', { task: 'embed', unread: POOLER });
