import { describeGolden } from './describe-golden.ts';

describeGolden('electra-classify', { task: 'rerank' });
