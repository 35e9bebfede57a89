import { describeGolden } from './describe-golden.ts';

describeGolden('mpnet-embed', { task: 'embed', unread: ['pooler.dense.bias', 'pooler.dense.weight'] });
