import { describeGolden } from './describe-golden.ts';

// Folders as sentence-transformers 6 writes them.
describeGolden('st6-embed', { task: 'embed', unread: ['pooler.dense.bias', 'pooler.dense.weight'] });
describeGolden('st6-reranker', { task: 'rerank' });
