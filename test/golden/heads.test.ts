import { describeGolden } from './describe-golden.ts';

const POOLER = ['pooler.dense.bias', 'pooler.dense.weight'];

describeGolden('bert-max', { task: 'embed', unread: POOLER });
describeGolden('bert-weightedmean', { task: 'embed', unread: POOLER });
describeGolden('bert-lasttoken', { task: 'embed', unread: POOLER });
describeGolden('bert-dense-tanh', { task: 'embed', unread: POOLER });
describeGolden('bert-splade', { task: 'sparse' });
describeGolden('distilbert-splade', { task: 'sparse' });
describeGolden('colbert-hf', { task: 'colbert', unread: POOLER.map((name) => `bert.${name}`) });
describeGolden('colbert-pylate', { task: 'colbert', unread: POOLER });
describeGolden('bge-m3', { task: 'colbert', unread: POOLER });
describeGolden('static-st', { task: 'embed' });
describeGolden('static-model2vec', { task: 'embed' });
describeGolden('st6-embed', { task: 'embed', unread: POOLER });
describeGolden('st6-reranker', { task: 'rerank' });
