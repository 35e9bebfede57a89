import { describeGolden } from './describe-golden.ts';

describeGolden('deberta-classify', { task: 'classify' });
describeGolden('deberta-reranker', { task: 'rerank' });
describeGolden('modernbert-mean', { task: 'embed' });
describeGolden('modernbert-cls', { task: 'embed' });
describeGolden('modernbert-reranker-cls', { task: 'rerank' });
describeGolden('modernbert-reranker-mean', { task: 'rerank' });
describeGolden('nomic-embed', { task: 'embed' });
describeGolden('nomic-moe', { task: 'embed' });
describeGolden('gte-embed', { task: 'embed' });
describeGolden('gte-reranker', { task: 'rerank' });
